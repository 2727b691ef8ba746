import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

const PACK = new URL('../../../../scripts/pack.mjs', import.meta.url).href;
export const MINUTE = 60_000;

/** Folder with the packed packages and the sites. Real npm installs them, as users do. */
let work: string;
/** The command as installed from its file. */
let latchkey: string;
let children: ChildProcess[] = [];

const run = promisify(execFile);
const npm = (folder: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, env: environment() });

/** The variables of this process, without those of the test runner. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, NODE_OPTIONS: __, VITEST: ___, ...env } = process.env;
  return { ...env, NEXT_TELEMETRY_DISABLED: '1' };
}

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'latchkey-init-all-'));
  const packed = JSON.stringify(join(work, 'latchkey/packed'));
  const program = `const { pack, dependByPath } = await import('${PACK}'); await pack(${packed}); await dependByPath(${packed});`;
  await run(process.execPath, ['--input-type=module', '--eval', program], { env: environment() });
  const tool = join(work, 'tool');
  mkdirSync(tool);
  writeFileSync(join(tool, 'package.json'), '{"private":true}');
  await npm(tool, 'install', '../latchkey/packed/cli.tgz');
  latchkey = join(tool, 'node_modules/.bin/latchkey');
}, 5 * MINUTE);
afterEach(async () => {
  for (const child of children) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    // npm starts the program in a process of its own.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else continue;
    await ended;
  }
  children = [];
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Starts a script of a site, and returns what it has printed so far. */
function start(folder: string, script: string): () => string {
  const child = spawn('npm', ['run', script], { cwd: folder, env: environment(), detached: true });
  children.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return () => printed;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Inits a site, and puts it on free ports. */
export async function initSite(name: string, ...flags: string[]) {
  const [sandboxPort, port, serverPort] = [await freePort(), await freePort(), await freePort()];
  const service = `http://127.0.0.1:${sandboxPort}`;
  const { stdout } = await run(latchkey, ['init', name, '--service-url', service, '--json', ...flags], {
    cwd: work,
    env: environment(),
  });
  const folder = join(work, name);
  const { written, run: commands } = JSON.parse(stdout) as { written: string[]; run: string[] };
  for (const path of written) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(
      join(folder, path),
      text.replaceAll(/\b3000\b/g, `${port}`).replaceAll(/\b3001\b/g, `${serverPort}`),
    );
  }
  await npm(folder, 'install');
  const scripts = commands.map((command) => / (?:npm run )?(\w+)$/.exec(command)?.[1] ?? '');
  return { folder, scripts, service, site: `http://localhost:${port}` };
}

/** Starts everything that init says to start, and returns the page and where sign-in leads. */
export async function visit({ folder, scripts, site }: Awaited<ReturnType<typeof initSite>>) {
  const printed = scripts.map((script) => start(folder, script));
  const outputs = () => printed.map((each) => each()).join('\n');
  const get = (url: string) => fetch(url, { redirect: 'manual' }).catch(() => undefined);
  const answers = async (url: string) => ((await get(url))?.status ?? 500) < 500 || outputs();
  // The sandbox writes its sample data once it listens, and says so then.
  await expect.poll(outputs, { timeout: MINUTE }).toContain('Press Ctrl-C to stop.');
  await expect.poll(() => answers(site), { timeout: 2 * MINUTE }).toBe(true);
  await expect.poll(() => answers(`${site}/auth/login`), { timeout: MINUTE }).toBe(true);
  const login = await get(`${site}/auth/login`);
  return { html: await (await fetch(site)).text(), login: login?.headers.get('location') ?? '' };
}

/** Expects that a site has a page with a button, and that its sign-in leads to a page of the sandbox. */
export async function expectSignIn(
  kind: 'express' | 'nextjs',
  language: 'javascript' | 'typescript',
  scripts: readonly string[],
): Promise<void> {
  const project = await initSite(
    `${kind}-${language}`,
    '--kind',
    kind,
    ...(language === 'typescript' ? ['--typescript'] : []),
  );
  expect(project.scripts).toEqual(scripts);
  const { html, login } = await visit(project);
  expect(html).toMatch(/<latchkey-login [^>]*backend="\/auth"/);
  expect(login).toMatch(new RegExp(`^${project.service}/oauth/authorize\\?`));
  const redirectUri = new URL(login).searchParams.get('redirect_uri');
  expect(redirectUri).toBe(`${project.site}/auth/callback`);
  expect((await fetch(login)).status, 'the sandbox accepts the client and its redirect URI').toBe(200);
  if (language === 'typescript') {
    // Next.js writes its configuration at the start, and is less strict.
    const tsc = join(project.folder, 'node_modules/.bin/tsc');
    await run(tsc, ['--project', '.', '--strict'], { cwd: project.folder });
  }
}
