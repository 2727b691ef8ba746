import { readdirSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { join } from 'node:path';
import { createSandbox, type RunningSandbox, sandboxEnv, sandboxScenario } from '@latchkey/sandbox';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { CHROMIUM_ARGS } from '../scripts/chromium.mjs';
import { test as base } from './calm-press.js';
import { createProject, filesOf, type GuideProject } from './guide-project.js';
import { LONG } from './levels.js';
import { freePort, STARTS_MS } from './running-command.js';
import { loginOf, pickUser, signInWithPopup } from './world.js';

const { users, webhooks, community } = sandboxScenario;
const WELCOME = 'Welcome to the page for members.';
const TOKEN = 'token-of-the-guides-test';

/** A project of a guide, with a sandbox for the address of its site. */
interface Guide {
  sandbox: RunningSandbox;
  project: GuideProject;
  /** Address of the site. The guides write http://localhost:3000. */
  origin: string;
  /** Port of Express behind another server. The guides write 3001. */
  expressPort: number;
}

const test = base.extend<{ guide: Guide }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this form.
  guide: async ({}, use) => {
    const [port, expressPort] = [await freePort(), await freePort()];
    const origin = `http://localhost:${port}`;
    const sandbox = await createSandbox({
      shops: { scriptTagShop: origin, backendShop: origin },
      controlToken: TOKEN,
    });
    const project = createProject({
      'http://127.0.0.1:4400': sandbox.baseUrl,
      'localhost:3000': `localhost:${port}`,
      'listen(3000': `listen(${port}`,
      'port: 3000': `port: ${port}`,
      '127.0.0.1:3001': `127.0.0.1:${expressPort}`,
      'listen(3001': `listen(${expressPort}`,
    });
    project.write([['.env', sandboxEnv(sandbox)]]);
    await use({ sandbox, project, origin, expressPort });
    await project.remove();
    await sandbox.close();
  },
});

/** Waits until a program answers at an address. */
async function untilAnswers(url: string, printed: () => string): Promise<void> {
  const answers = () =>
    fetch(url, { redirect: 'manual' }).then(
      () => 'answers',
      (error: Error) => `${error} ${printed()}`,
    );
  await expect.poll(answers, { timeout: STARTS_MS }).toBe('answers');
}

/** Files of the Express guide, with other parts of server.mjs. */
function expressFiles(parts: { last?: string; webhooks?: string } = {}): Map<string, string> {
  const files = new Map(filesOf('quick-start-express'));
  let server = files.get('server.mjs') ?? '';
  if (parts.last !== undefined) server = server.replace(/^app\.listen\(3000.*\n/m, parts.last);
  if (parts.webhooks !== undefined) {
    server = server
      .replace(/^app\.all\('\/webhooks'.*\n/m, parts.webhooks)
      .replace('{ latchkey, sqliteDirectory }', '{ latchkey, referencePayload, sqliteDirectory }');
  }
  return files.set('server.mjs', server);
}

async function expectGate(page: Page, origin: string, email: string, state: 'open' | 'locked') {
  await page.context().clearCookies();
  await page.goto(origin);
  await signInWithPopup(page, email);
  await expect(page.locator('latchkey-gate')).toHaveJSProperty('state', state);
}

test('the quick start of the script tag greets who signs in', async ({ page, guide }) => {
  const { project, origin } = guide;
  project.write(filesOf('quick-start-script-tag'));
  await untilAnswers(origin, project.run('node', ['serve.mjs']).printed);
  await page.goto(origin);
  await signInWithPopup(page, users.ada.email);
  await expect(page.getByText(`Hello ${users.ada.email}`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Hello ${users.ada.email}`)).toBeVisible();
});

test('the quick start of Express opens for members of the community only', async ({ page, guide }) => {
  const { project, origin } = guide;
  project.write(expressFiles());
  await untilAnswers(origin, project.run('node', ['--env-file=.env', 'server.mjs']).printed);
  await expectGate(page, origin, users.ada.email, 'open');
  await page.getByRole('link', { name: 'members' }).click();
  await expect(page.getByText(WELCOME)).toBeVisible();
  for (const { email } of [users.ben, users.eve]) {
    await expectGate(page, origin, email, 'locked');
    expect((await page.goto(`${origin}/members`))?.status()).toBe(403);
  }
});

test('the quick start of webhooks lets a new member in', { tag: LONG }, async ({ page, guide }) => {
  const { project, origin, sandbox } = guide;
  const block = filesOf('quick-start-webhooks').get('webhooks of server.mjs') ?? '';
  expect(block).not.toBe('');
  project.write(expressFiles({ webhooks: block }));
  const server = project.run('node', ['--env-file=.env', 'server.mjs']);
  await untilAnswers(origin, server.printed);
  await sandbox.operator.change('webhooks', webhooks.community.id, { url: `${origin}/webhooks` });
  const trigger = ['trigger', 'membership.created', '--user', users.ben.email, '--community', community.id];
  const command = project.run('latchkey', [...trigger, '--sandbox', sandbox.baseUrl], {
    LATCHKEY_SANDBOX_TOKEN: TOKEN,
  });
  expect(await command.ended, command.printed()).toBe(0);
  await expect.poll(server.printed, { timeout: STARTS_MS }).toContain(`New member: ${users.ben.email}`);
  await page.goto(`${origin}/members`);
  await pickUser(page, users.ben.email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText(WELCOME)).toBeVisible();
});

test('the quick start of React shows the gate in front of Express', async ({ page, guide }) => {
  const { project, origin } = guide;
  const files = filesOf('quick-start-react');
  project.write(expressFiles({ last: files.get('last line of server.mjs') ?? '' }));
  project.write([...files].filter(([name]) => !name.startsWith('last line')));
  const { printed } = project.run('node', ['--env-file=.env', 'server.mjs']);
  await untilAnswers(origin, project.run('vite', []).printed);
  // Asks Express through Vite only: at its own address it would say that appUrl is another one.
  const session = () => fetch(`${origin}/auth/session`).then(({ status }) => status);
  await expect.poll(session, { timeout: STARTS_MS }).toBe(200);
  await page.goto(origin);
  await signInWithPopup(page, users.ada.email);
  await expect(page.getByText(`Hello ${users.ada.email}`)).toBeVisible();
  await expect(page.getByText('You are a member.')).toBeVisible();
  expect(printed()).not.toContain('appUrl');
});

/** Forwards to Express as the rewrites of Next.js do: with the target's Host, and X-Forwarded-Host. Serves one page. */
async function startRewrites(html: string, { origin, expressPort }: Guide): Promise<Server> {
  const paths = [
    ...(filesOf('quick-start-nextjs').get('next.config.mjs') ?? '').matchAll(/'(\/\w+)(?:\/:path\*)?'/g),
  ];
  const forwarded = paths.map(([, path = '']) => path);
  expect(forwarded).toEqual(['/auth', '/webhooks', '/members']);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (!forwarded.some((path) => pathname === path || pathname.startsWith(`${path}/`))) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
      return;
    }
    const host = `127.0.0.1:${expressPort}`;
    const headers = { ...request.headers, host, 'x-forwarded-host': new URL(origin).host };
    const { method = 'GET', url = '/' } = request;
    const passedOn = httpRequest(
      { port: expressPort, host: '127.0.0.1', method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    passedOn.on('error', () => response.writeHead(502).end());
    request.pipe(passedOn);
  });
  await new Promise<void>((listening) => server.listen(Number(new URL(origin).port), '127.0.0.1', listening));
  return server;
}

test('the Express of the Next.js quick start works behind rewrites', { tag: LONG }, async ({
  page,
  guide,
}) => {
  const { project, origin, expressPort, sandbox } = guide;
  const files = filesOf('quick-start-nextjs');
  project.write(expressFiles({ last: files.get('last line of server.mjs') ?? '' }));
  const component = files.get('app/membership.tsx') ?? '';
  const markup =
    /<>(.*)<\/>/s.exec(component)?.[1]?.replaceAll(/<(latchkey-\w+)([^>]*)\/>/g, '<$1$2></$1>') ?? '';
  const script = `<script src="${sandbox.baseUrl}/widget/latchkey.js" defer></script>`;
  const html = `<!doctype html><title>My site</title>${script}${markup.replaceAll('http://127.0.0.1:4400', sandbox.baseUrl)}`;
  await untilAnswers(
    `http://127.0.0.1:${expressPort}`,
    project.run('node', ['--env-file=.env', 'server.mjs']).printed,
  );
  const rewrites = await startRewrites(html, guide);
  try {
    await expectGate(page, origin, users.ada.email, 'open');
    await expect(page.getByText(WELCOME)).toBeVisible();
    // The kit's own redirects lead to the address in the browser too.
    await page.context().clearCookies();
    await page.goto(`${origin}/members`);
    await pickUser(page, users.ada.email);
    // The popup's consent was for the callback page of the service.
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${origin}/members`);
    await expect(page.getByText(WELCOME)).toBeVisible();
    await page.goto(origin);
    await expect(loginOf(page)).toContainText(users.ada.email);
    await expectGate(page, origin, users.eve.email, 'locked');
  } finally {
    rewrites.closeAllConnections();
    rewrites.close();
  }
});

test('the quick start of the funnel grants a membership once', { tag: LONG }, async ({
  guide: { project },
}) => {
  project.write(filesOf('quick-start-funnel'));
  for (const status of ['created', 'idempotent_return']) {
    const run = project.run('node', ['--env-file=.env', 'provision.mjs']);
    expect(await run.ended, run.printed()).toBe(0);
    expect(run.printed()).toMatch(new RegExp(`^${status} [0-9a-f-]{36}`));
  }
});

test('the tests of the testing guide pass in vitest, node:test and Playwright', { tag: LONG }, async ({
  guide: { project },
}) => {
  project.write(filesOf('testing'));
  const launch = {
    executablePath: process.env.LATCHKEY_HEADLESS_SHELL || process.env.LATCHKEY_CHROMIUM,
    args: CHROMIUM_ARGS,
  };
  // Both load packages from the registry as they are. They would compile those of this repository, which are links to built files.
  project.write([
    [
      'playwright.config.mjs',
      `export default { testMatch: '*.spec.mjs', build: { external: ['**/dist/**'] }, use: { launchOptions: ${JSON.stringify(launch)} } };`,
    ],
    [
      'vitest.config.mjs',
      "export default { test: { include: ['*.test.mjs'], server: { deps: { external: [/\\/dist\\//] } } } };",
    ],
  ]);
  const runs = [
    project.run('node', ['--test', 'shop.node-test.mjs']),
    project.run('vitest', ['run', '--root', '.']),
    project.run('playwright', ['test']),
  ];
  for (const { ended, printed } of runs) expect(await ended, printed()).toBe(0);
});

test('the page of the translations guide is German', async ({ page, guide: { project, origin } }) => {
  const html = `<!doctype html><title>A page</title>${filesOf('translations').get('page.html')}`;
  project.write(expressFiles().set('public/index.html', html));
  await untilAnswers(origin, project.run('node', ['--env-file=.env', 'server.mjs']).printed);
  await page.goto(origin);
  await expect(loginOf(page).getByRole('button', { name: 'Anmelden' })).toBeVisible();
});

test('a test uses each file that a guide shows', () => {
  const guides = readdirSync(join(import.meta.dirname, '../docs')).filter((file) => file.endsWith('.md'));
  const shown = guides.map((file) => file.slice(0, -3)).filter((guide) => filesOf(guide).size > 0);
  expect(shown.sort()).toEqual([
    'quick-start-express',
    'quick-start-funnel',
    'quick-start-nextjs',
    'quick-start-react',
    'quick-start-script-tag',
    'quick-start-webhooks',
    'self-hosting', // packages/cli/test/backup.all.test.ts
    'testing',
    'translations',
  ]);
});
