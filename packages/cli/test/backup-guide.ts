import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { latchkey } from './call.js';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/self-hosting.md'), 'utf8');
const POSTGRES_PROGRAM = 'backup-postgres.mjs';
const OWNER = 'owner@shop.example';

/** Result of a program: its exit code and all output. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Creates a folder with the guide's programs. It lies in this package, so that they find its dependencies. */
export function guideFolder(onTestFinished: (end: () => void) => void) {
  const cache = join(ROOT, 'packages/cli/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [, name = '', code = ''] of GUIDE.matchAll(/^```js (\S+)\n(.*?)^```/gms)) {
    writeFileSync(join(folder, name), code);
  }
  copyFileSync(join(ROOT, 'examples/deployment', POSTGRES_PROGRAM), join(folder, POSTGRES_PROGRAM));
  return {
    path: (name: string) => join(folder, name),
    run: (command: string, args: readonly string[]) =>
      new Promise<Ended>((resolve) => {
        const child = execFile(command, args, { cwd: folder }, (_error, stdout, stderr) => {
          resolve({ code: child.exitCode, output: `${stdout}${stderr}` });
        });
      }),
  };
}

/** Fills a new database with an owner, a community, a client, a key, a webhook and memberships. Returns its facts. */
export async function fillDatabase(LATCHKEY_DATABASE: string): Promise<void> {
  await admin(LATCHKEY_DATABASE, 'migrate');
  const owner = await admin(LATCHKEY_DATABASE, 'admin', 'create', 'user', '--email', OWNER);
  const ownerId = String(owner.id);
  const community = await admin(
    LATCHKEY_DATABASE,
    ...['admin', 'create', 'community', '--name', 'Roasters', '--owner-id', ownerId],
  );
  await admin(
    LATCHKEY_DATABASE,
    ...['admin', 'create', 'client', '--type', 'public', '--name', 'Café “Ö”', '--owner-id', ownerId],
    ...['--scope', 'memberships.read', '--redirect-uri', 'https://shop.example/callback'],
  );
  await admin(
    LATCHKEY_DATABASE,
    ...['admin', 'create', 'webhook', '--community-id', String(community.id), '--owner-id', ownerId],
    ...['--url', 'https://shop.example/webhooks'],
  );
  for (const email of ['ada@example.com', 'ben@example.com']) {
    const member = await admin(LATCHKEY_DATABASE, 'admin', 'create', 'user', '--email', email);
    await admin(
      LATCHKEY_DATABASE,
      ...['admin', 'create', 'membership', '--user-id', String(member.id), '--product-type', 'community'],
      ...['--community-id', String(community.id)],
    );
  }
}

/** Adds a user after the backup, which the restored database must not contain. */
export async function addLateUser(LATCHKEY_DATABASE: string): Promise<void> {
  await admin(LATCHKEY_DATABASE, 'admin', 'create', 'user', '--email', 'late@example.com');
}

/** Expects that a restored database works: the schema is current, early users exist, and later ones do not. */
export async function expectRestored(LATCHKEY_DATABASE: string): Promise<void> {
  expect(await latchkey(['migrate', '--check'], { LATCHKEY_DATABASE })).toMatchObject({ code: 0 });
  await admin(LATCHKEY_DATABASE, 'admin', 'find', 'user', OWNER);
  const late = await latchkey(['admin', 'find', 'user', 'late@example.com'], { LATCHKEY_DATABASE });
  expect(late.code).toBe(1);
  // It takes new rows, so ids and sequences continue.
  await admin(LATCHKEY_DATABASE, 'admin', 'create', 'user', '--email', 'new@example.com');
}

async function admin(
  LATCHKEY_DATABASE: string,
  ...args: readonly string[]
): Promise<Record<string, unknown>> {
  const json = args[0] === 'admin' ? ['--json'] : [];
  const { code, out, err } = await latchkey([...args, ...json], {
    LATCHKEY_DATABASE,
    ...(args[2] === 'client' && {
      LATCHKEY_BASE_URL: 'https://members.example',
    }),
  });
  if (code !== 0) throw new Error(err);
  return json.length > 0 ? (JSON.parse(out) as Record<string, unknown>) : {};
}
