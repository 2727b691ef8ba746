import { expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { startLatchkey } from '../running-latchkey.js';
import { createDatabase } from './create-database.js';

const NEXT_VERSION = new URL('../../../server/soak/upgrade/next-version.mjs', import.meta.url).href;

it('latchkey migrate --contract runs the contract migrations, which other runs leave pending', async ({
  onTestFinished,
}) => {
  const env = { LATCHKEY_DATABASE: await createDatabase(onTestFinished) };
  expect((await latchkey(['migrate'], env)).code).toBe(0);
  /** Runs the command of the next version, which has more migrations. */
  const next = async (...args: string[]) => {
    const running = startLatchkey(['migrate', ...args], { ...env, NODE_OPTIONS: `--import ${NEXT_VERSION}` });
    return { code: await running.ended, out: running.out().trimEnd() };
  };
  expect((await next('--check')).code).toBe(1);
  expect((await next()).out).toContain('Applied migrations:\n  9001-event-notes');
  const hint =
    'Pending contract migrations. When all processes have this version, run "latchkey migrate --contract":\n  9008-no-request-headers';
  expect(await next('--check')).toEqual({ code: 0, out: `The database is up to date.\n${hint}` });
  expect((await next('--check', '--contract')).code).toBe(1);
  expect(await next()).toEqual({ code: 0, out: `The database was already up to date.\n${hint}` });
  const { code, out } = await next('--contract', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ applied: ['9008-no-request-headers'], pendingContract: [] });
  expect((await next('--check', '--contract')).code).toBe(0);
});
