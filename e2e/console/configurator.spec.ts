import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import { test } from '../calm-press.js';
import { JOURNEY, LONG } from '../levels.js';

interface Attribute {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
}
interface Declaration {
  readonly tagName?: string;
  readonly attributes?: readonly Attribute[];
  readonly cssProperties?: readonly { readonly name: string }[];
}

const ROOT = join(import.meta.dirname, '../..');
const { publicClient } = sandboxScenario;
const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/widget/custom-elements.json'), 'utf8')) as {
  modules: readonly { declarations?: readonly Declaration[] }[];
};
const elements = manifest.modules
  .flatMap(({ declarations = [] }) => declarations)
  .filter((declaration) => declaration.tagName !== undefined);
const settable = ({ attributes = [] }: Declaration) =>
  attributes.filter(({ description = '' }) => !description.includes('Read-only.'));
/** Attributes whose value in the preview is that of its own backend, or none. */
const OWN_ADDRESS = ['backend', 'src', 'service-url', 'callback-url'];

let sandbox: RunningSandbox;
test.beforeAll(async () => {
  const silent = { info() {}, warn() {}, error() {} };
  sandbox = await createSandbox({ logger: silent });
  await sandbox.operator.change('clients', publicClient.clientId, { widgetOrigins: [sandbox.baseUrl] });
});
test.afterAll(() => sandbox.close());

const code = (page: Page) => page.getByRole('region', { name: / code$/ });
const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');

async function open(page: Page, settings?: object, more: Record<string, string> = {}): Promise<void> {
  const query = new URLSearchParams({ ...(settings && { settings: JSON.stringify(settings) }), ...more });
  await page.goto(`${sandbox.baseUrl}/sandbox/configurator?${query}`);
  await expect(code(page)).toBeVisible();
}

/** All elements, so that each one has its settings. */
const ALL = { elements: Object.fromEntries(elements.map(({ tagName }) => [tagName, {}])) };

test('has every attribute and custom property of the manifest', async ({ page }) => {
  await open(page, ALL);
  for (const element of elements) {
    const fields = page.locator(`#settings-${element.tagName} [data-setting]`);
    const names = await fields.evaluateAll((all) => all.map((field) => field.getAttribute('data-setting')));
    expect(names.toSorted()).toEqual(
      settable(element)
        .map(({ name }) => name)
        .toSorted(),
    );
  }
  const shown = await page
    .locator('#settings-theme [data-setting]')
    .evaluateAll((all) => all.map((field) => field.getAttribute('data-setting')));
  const properties = elements.flatMap(({ cssProperties = [] }) => cssProperties.map(({ name }) => name));
  expect(shown.toSorted()).toEqual([...new Set(properties)].toSorted());
});

test('each attribute changes the snippet and the preview', { tag: LONG }, async ({ page }) => {
  test.slow();
  await open(page, ALL);
  for (const element of elements) {
    const { tagName = '' } = element;
    await page.locator(`#settings-${tagName} > summary`).click();
    for (const { name, type } of settable(element)) {
      const field = page.locator(`[id="${tagName}-${name}"]`);
      const [, value = 'a-value'] = /.*'([^']+)'/.exec(type?.text ?? '') ?? [];
      if (type?.text === 'boolean') await field.check();
      else if (await field.evaluate((each) => each.localName === 'select')) await field.selectOption(value);
      else await field.fill(value);
    }
    const shownToAll = settable(element).filter(({ name }) => !OWN_ADDRESS.includes(name));
    for (const { name, type } of settable(element)) {
      const [, value = 'a-value'] = /.*'([^']+)'/.exec(type?.text ?? '') ?? [];
      const text = type?.text === 'boolean' ? name : `${name}="${value}"`;
      await expect(code(page)).toContainText(text);
    }
    for (const { name, type } of shownToAll) {
      const [, value = 'a-value'] = /.*'([^']+)'/.exec(type?.text ?? '') ?? [];
      const shown = preview(page).locator(tagName).first();
      await expect(shown).toHaveAttribute(name, type?.text === 'boolean' ? '' : value);
    }
    await page.locator(`#settings-${tagName} > summary`).click();
  }
});

test('each custom property changes the snippet and the preview, and the address keeps them', {
  tag: LONG,
}, async ({ page }) => {
  await open(page);
  await page.locator('#settings-theme > summary').click();
  const fields = page.locator('#settings-theme [data-setting]');
  for (const field of await fields.all()) await field.fill('1px');
  const names = await fields.evaluateAll((all) =>
    all.map((field) => field.getAttribute('data-setting') ?? ''),
  );
  const propertyOf = (name: string) =>
    preview(page)
      .locator('html')
      .evaluate((root, property) => getComputedStyle(root).getPropertyValue(property), name);
  for (const name of names) {
    await expect(code(page)).toContainText(`${name}: 1px;`);
    await expect.poll(() => propertyOf(name)).toBe('1px');
  }
  await page.reload();
  for (const name of names) await expect(code(page)).toContainText(`${name}: 1px;`);
});

test('the preview signs in, and its gate opens', { tag: LONG }, async ({ page }) => {
  await open(page);
  const opened = page.waitForEvent('popup');
  await preview(page).locator('latchkey-login').first().getByRole('button', { name: 'Sign in' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: 'ada@example.com' }).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
  await expect(preview(page).locator('latchkey-gate')).toHaveJSProperty('state', 'open');
  await expect(preview(page).getByText('Members see this.')).toBeVisible();
});

test('registers a client with its origin, and shows its code', { tag: JOURNEY }, async ({ page }) => {
  await open(page);
  await page.getByLabel('Name of the app').fill('The new shop');
  await page.getByLabel('Origin of the site').fill('https://shop.example');
  await page.getByRole('button', { name: 'Register client and origin' }).click();
  await expect(page.getByLabel('Client', { exact: true }).locator('option:checked')).toContainText(
    'The new shop',
  );
  const registered = (await sandbox.operator.list('clients')).records.find(
    ({ name }) => name === 'The new shop',
  );
  expect(registered).toMatchObject({
    widgetOrigins: ['https://shop.example', sandbox.baseUrl],
    redirectUris: expect.arrayContaining(['https://shop.example/auth/callback']),
  });
  await expect(code(page)).toContainText(String(registered?.clientId));
});

test('the script tag runs as it is shown, and the npm code runs in a bundle', async ({ page }) => {
  const standalone = { elements: { 'latchkey-login': { backend: '', label: 'Come in' } } };
  await open(page, standalone);
  await expect(code(page)).toContainText('label="Come in"');
  const scriptTag = (await code(page).textContent()) ?? '';
  await page.getByRole('tab', { name: 'npm' }).click();
  await expect(code(page)).toContainText('insertAdjacentHTML');
  const source = (await code(page).textContent()) ?? '';
  const folder = test.info().outputPath('site');
  const entry = 'virtual:entry';
  // Vite sets NODE_ENV to production, which would also apply to the demo of the next test.
  const { NODE_ENV } = process.env;
  const { output } = (await build({
    root: join(ROOT, 'e2e'),
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'snippet',
        resolveId: (id: string) => (id === entry ? join(ROOT, 'e2e/snippet.js') : undefined),
        load: (id: string) => (id === join(ROOT, 'e2e/snippet.js') ? source : undefined),
      },
    ],
    build: { write: false, outDir: folder, target: 'es2022', rolldownOptions: { input: entry } },
  }).finally(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  })) as { output: readonly { fileName: string; isEntry?: boolean; code?: string }[] };
  const app = output.find(({ isEntry }) => isEntry)?.fileName;
  const server = createServer(({ url = '' }, response) => {
    // The part that signs in is a chunk of its own.
    const script = output.find(({ fileName }) => `/${fileName}` === url)?.code;
    const html =
      url === '/npm' ? `<body><script type="module" src="/${app}"></script>` : `<body>${scriptTag}`;
    response
      .writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html; charset=utf-8' })
      .end(script ?? `<!doctype html><title>Site</title>${html}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await sandbox.operator.change('clients', publicClient.clientId, {
    widgetOrigins: [sandbox.baseUrl, origin],
  });
  try {
    for (const [path, email] of [
      // They have not signed in to this client yet, so they are asked.
      ['/', 'cleo@example.com'],
      ['/npm', 'ben@example.com'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto(origin + path);
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Come in' }).click();
      const popup = await opened;
      await popup.getByRole('button', { name: email }).click();
      await popup.getByRole('button', { name: 'Allow' }).click();
      await expect(page.getByRole('button', { name: email })).toBeVisible();
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('works with the keyboard, and axe finds nothing', { tag: LONG }, async ({ page }) => {
  await open(page, ALL);
  await page.getByRole('tab', { name: 'Light' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Dark' })).toBeFocused();
  await expect(page).toHaveURL(/variant=dark/);
  await page.getByRole('tab', { name: 'Script tag' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: '.env' })).toBeFocused();
  await expect(code(page)).toContainText('LATCHKEY_SERVICE_URL=');
  await page.locator('#settings-latchkey-gate > summary').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[id="latchkey-gate-community"]')).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const { violations } = await new AxeBuilder({ page })
      .exclude('iframe')
      .setLegacyMode()
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join()}`)).toEqual(
      [],
    );
  }
});
