import { expect, it } from 'vitest';
import { expectSignIn, initSite, MINUTE, visit } from './initiated-site.js';

it(
  'a page has a sign-in button, whose script the sandbox serves',
  async () => {
    const project = await initSite('page', '--kind', 'page');
    expect(project.scripts).toEqual(['sandbox', 'start']);
    const { html } = await visit(project);
    expect(html).toContain('<latchkey-login client-id="oac_a1b2c3d4e5f60718293a4b5c"');
    const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect(script).toBe(`${project.service}/widget/latchkey.js`);
    expect((await fetch(script)).status).toBe(200);
    const client = `${project.service}/oauth/client/oac_a1b2c3d4e5f60718293a4b5c?widget_origin=${project.site}`;
    expect(await (await fetch(client)).json()).toMatchObject({ data: { widgetOriginAllowed: true } });
  },
  5 * MINUTE,
);

it.each(['javascript', 'typescript'] as const)(
  'express in %s has a page with a button, and signs in at the sandbox',
  { timeout: 10 * MINUTE },
  (language) => expectSignIn('express', language, ['sandbox', 'start']),
);
