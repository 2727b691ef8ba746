import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a sandbox starts and answers where Error is that of another realm, as in Jest', {
  timeout: 60_000,
}, async () => {
  // Jest runs tests in a context with an Error of its own. Errors of Node and of its database aren't instances of it.
  const program = `
    const Native = Error;
    globalThis.Error = class Error extends Native {};
    globalThis.AggregateError = class AggregateError extends Native {};
    Object.defineProperty(globalThis.Error, Symbol.hasInstance, {
      value: (value) => Object.getPrototypeOf(value ?? {}) !== null && globalThis.Error.prototype.isPrototypeOf(value),
    });
    const { createSandbox } = await import(${JSON.stringify(import.meta.resolve('@latchkey/sandbox'))});
    const sandbox = await createSandbox({ logger: { info() {}, warn() {}, error() {} } });
    const answer = await fetch(sandbox.baseUrl + '/oauth/client/oac_' + 'a'.repeat(24));
    console.log(answer.status, new Native('x') instanceof Error);
    await sandbox.close();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH },
  });
  expect(stdout.trim()).toBe('404 false');
});
