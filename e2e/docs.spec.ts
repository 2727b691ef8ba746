import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect, signInWithPopup, test } from './world.js';

const ROOT = join(import.meta.dirname, '..');

/** The HTML snippets in the documents that load the widget. */
const snippets = globSync('{README.md,packages/widget/README.md}', { cwd: ROOT }).flatMap((document) =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```html\n(.*?)^```/gms)]
    .map(([, html = '']) => html)
    .filter((html) => html.includes('/widget/latchkey.js'))
    .map((html, index) => ({ name: `${document}, piece ${index + 1}`, html })),
);

for (const { name, html } of snippets) {
  test(`the HTML in ${name} works unchanged`, async ({ page, world }) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const site = await world.site(
      () =>
        `<!doctype html><title>A page</title>${html.replaceAll('http://127.0.0.1:4400', world.service.baseUrl)}`,
    );
    const { clientId } = sandboxScenario.publicClient;
    await world.service.operator.updateClient(clientId, { widgetOrigins: [site.origin] });
    await page.goto(site.url);
    if ((await page.locator('latchkey-login').count()) > 0) {
      await signInWithPopup(page, 'ada@example.com');
      await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
      for (const gate of await page.locator('latchkey-gate').all())
        await expect(gate).toHaveAttribute('state', 'open');
    }
    expect(problems).toEqual([]);
  });
}
