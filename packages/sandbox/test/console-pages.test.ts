import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it as plainIt } from 'vitest';
import { consoleScript, readAsset } from '../src/console/console-routes.js';
import { CONSOLE_VIEWS } from '../src/navigation/console-views.js';
import { parsePage } from './page-document.js';
import { it } from './sandbox-under-test.js';

describe('the pages of the console', () => {
  it('load a script that exists, under a policy without inline code', async ({ service }) => {
    for (const { name } of CONSOLE_VIEWS) {
      const response = await service.request(`/sandbox/${name}`);
      expect(`${name} ${response.status}`).toBe(`${name} 200`);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      const $ = parsePage(await response.text());
      const script = await service.request($('script[type="module"]').attr('src') ?? '');
      expect(script.headers.get('content-type')).toContain('text/javascript');
      expect(script.headers.get('cache-control')).toContain('immutable');
    }
  });

  it('contain the control token, if no other machine can open them', async ({ service }) => {
    const $ = parsePage(await (await service.request('/sandbox/requests')).text());
    expect(JSON.parse($('#console-settings').text())).toMatchObject({
      baseUrl: service.baseUrl,
      controlToken: service.server.controlToken,
    });
  });

  it('serve no file outside of the bundle', async ({ service }) => {
    for (const name of ['manifest.json', '..%2f..%2findex.js', '%2e%2e%2fhome-page.js', 'main.js']) {
      expect((await service.request(`/sandbox/assets/${name}`)).status).toBe(404);
    }
  });
});

plainIt('a console that is not built has no script, and its files are not found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-console-'));
  expect(await consoleScript(folder)).toBeUndefined();
  expect(await readAsset('main.a1b2c3d4.js', folder)).toBeUndefined();
  writeFileSync(join(folder, 'manifest.json'), '{"src/main.ts":{"file":"main.a1b2c3d4.js"}}');
  expect(await consoleScript(folder)).toBe('/sandbox/assets/main.a1b2c3d4.js');
  rmSync(folder, { recursive: true });
});
