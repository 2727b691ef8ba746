import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Advisory as the registry's endpoint for bulk requests returns it. */
const ADVISORY = {
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Remote code execution',
  vulnerable_versions: '>=0.0.0',
  cwe: [],
  cvss: { score: 9.8, vectorString: null },
};

/** Runs the audit against a registry that answers as given. */
async function audit({ onTestFinished }: TestContext, answer: (response: ServerResponse) => void) {
  const registry = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.endsWith('/advisories/bulk')) answer(response);
      else response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not found"}');
    });
  });
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void registry.close());
  // npm remembers the severity of an advisory.
  const cache = mkdtempSync(join(tmpdir(), 'latchkey-audit-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const { port } = registry.address() as AddressInfo;
  return await new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
    };
    execFile('node', ['scripts/audit.mjs'], { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

const json = (body: object) => (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

// npm is a process that takes seconds to start.
describe.concurrent('npm run audit', () => {
  it('fails for an advisory about a package that our packages install', async (context) => {
    const { code, output } = await audit(context, json({ express: [{ ...ADVISORY, severity: 'low' }] }));
    expect(output).toContain('published: express');
    expect(output).toContain('Remote code execution https://advisories.example/1');
    expect(code).toBe(1);
  }, 60_000);

  it('fails for a critical advisory about a package for development, and only lists others', async (context) => {
    const [critical, low] = await Promise.all(
      (['critical', 'low'] as const).map((severity) =>
        audit(context, json({ vitest: [{ ...ADVISORY, severity }] })),
      ),
    );
    expect([critical?.code, critical?.output]).toEqual([
      1,
      expect.stringContaining('development only: vitest'),
    ]);
    expect([low?.code, low?.output]).toEqual([0, expect.stringContaining('development only: vitest')]);
  }, 60_000);

  it('says that it checked nothing if the registry serves no advisories', async (context) => {
    const { code, output } = await audit(context, (response) => void response.writeHead(404).end());
    expect(output).toContain('SKIPPED: no audit. The registry served no advisories');
    expect(code).toBe(0);
  }, 60_000);
});
