import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturesSchema } from '@latchkey/conformance/fixtures';
import { runProviderChecks } from '@latchkey/conformance/provider';
import { expect, it, onTestFinished } from 'vitest';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../../docs/conformance.md'), 'utf8');

/** Code block of a language in docs/conformance.md. */
function block(language: string): string {
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(DOCUMENT) ?? [];
  return code;
}

/** A service that redirects each authorization to the client, with the cookie as the state. */
async function startRedirectingService(): Promise<string> {
  const server = createServer((request, response) => {
    const location = `https://shop.example/callback?code=a-code&state=${encodeURIComponent(request.headers.cookie ?? '')}`;
    response.writeHead(302, { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs one check with the driver of the document. */
async function runWithDriver(actions: readonly string[], only: string) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-driver-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'driver.mjs');
  writeFileSync(file, block('javascript'));
  const example = JSON.parse(block('json'));
  const driver = { command: [process.execPath, file], actions };
  const fixtures = fixturesSchema.parse({ ...example, driver });
  const baseUrl = await startRedirectingService();
  const report = await runProviderChecks({ baseUrl, fixtures, destructive: true, rate: 1_000, only: [only] });
  return report.results[0]?.outcome;
}

it('the documented fixtures are valid', () => {
  expect(fixturesSchema.safeParse(JSON.parse(block('json'))).error).toBeUndefined();
});

it('a program is a driver: the documented one approves', async () => {
  expect(await runWithDriver(['authorize'], 'authorize.scope-values')).toEqual({ kind: 'passed' });
});

it('a driver that fails or lacks an action leaves a rule unproved', async () => {
  const failed = await runWithDriver(['authorize', 'registerClient'], 'credentials.client-secret-issued');
  expect(failed).toEqual({ kind: 'not-run', reason: expect.stringContaining('no registerClient') });
  const lacking = await runWithDriver(['authorize'], 'credentials.client-secret-issued');
  expect(lacking).toMatchObject({
    kind: 'not-run',
    reason: expect.stringContaining('the action registerClient'),
  });
});

it('a driver that cannot be started leaves a rule unproved', async () => {
  const driver = { command: ['/nonexistent/driver'], actions: ['registerClient'] };
  const fixtures = fixturesSchema.parse({ driver });
  const baseUrl = await startRedirectingService();
  const only = ['credentials.client-secret-issued'];
  const { results } = await runProviderChecks({ baseUrl, fixtures, destructive: true, rate: 1_000, only });
  expect(results[0]?.outcome).toMatchObject({
    kind: 'not-run',
    reason: expect.stringContaining('/nonexistent/driver'),
  });
});
