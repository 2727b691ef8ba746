import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { databaseUnderTest } from './service-under-test.js';

/** Other processes run the built package, because they cannot read TypeScript. */
const SERVER = new URL('../dist/index.js', import.meta.url).href;

/**
 * Starts a process that runs a script. In it, `server` is the package's exports and `database` a database
 * URL.
 */
function runScript(database: string, script: string): ChildProcess {
  const program = `const server = await import(${JSON.stringify(SERVER)}); const database = process.env.DATABASE; ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, DATABASE: database },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function resultOfProcess(
  child: ChildProcess,
): Promise<{ code: number | null; out: string; err: string }> {
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

describe('five processes that start on an empty database at once', () => {
  it('migrate it once, and all of them can use it', { timeout: 60_000 }, async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    const script = `
      const applied = await server.migrateDatabase(database);
      const { operator, close } = await server.startServer({ database, mailer: { send: async () => undefined }, port: 0 });
      await operator.createUser({ email: process.pid + '@example.com' });
      await close();
      console.log(applied.length);`;
    const results = await Promise.all(
      Array.from({ length: 5 }, () => resultOfProcess(runScript(database, script))),
    );
    for (const { code, err } of results) expect(code, err).toBe(0);
    const counts = results.map(({ out }) => Number(out)).sort();
    expect(counts.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(counts[4]).toBeGreaterThan(0);
    const db = await openDatabase(database);
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(5);
    await db.destroy();
  });
});

describe('process that is killed during its work', () => {
  it('has stored everything that it acknowledged', { timeout: 60_000 }, async () => {
    const database = await databaseUnderTest();
    const child = runScript(
      database,
      `
      const { operator } = await server.startServer({ database, mailer: { send: async () => undefined }, port: 0 });
      let next = 0;
      const work = async () => {
        for (;;) {
          const email = (next += 1) + '@example.com';
          await operator.createUser({ email });
          process.stdout.write(email + '\\n');
        }
      };
      for (let worker = 0; worker < 20; worker += 1) void work();`,
    );
    let acknowledged = '';
    child.stdout?.on('data', (chunk) => {
      acknowledged += chunk;
      if (acknowledged.length > 8_000) child.kill('SIGKILL');
    });
    const [code, signal] = await once(child, 'close');
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
    const emails = acknowledged.split('\n').slice(0, -1);
    expect(emails.length).toBeGreaterThan(200);
    const db = await openDatabase(database);
    const kept = new Set((await db.selectFrom('users').select('email').execute()).map(({ email }) => email));
    await db.destroy();
    expect(emails.filter((email) => !kept.has(email))).toEqual([]);
  });
});
