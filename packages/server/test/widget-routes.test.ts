import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parsePage, textOf } from './pages/page-document.js';
import { it, PUBLIC, type ServiceUnderTest, startService } from './service-under-test.js';

const FILES = [
  'latchkey.js',
  'latchkey-sign-in.js',
  'latchkey-all.js',
  'latchkey-plans.js',
  'callback.js',
  'messages/registry.js',
  ...['ar', 'de', 'es', 'fr', 'ja', 'pt'].map((language) => `messages/${language}.js`),
];

function writeBuild(directory: string, mark: string): void {
  mkdirSync(join(directory, 'messages'), { recursive: true });
  for (const file of FILES) writeFileSync(join(directory, file), `/* ${file} */${mark}`);
}

async function withAssets(
  onTestFinished: (end: () => void | Promise<void>) => void,
  { built, sandbox = true }: { built: boolean; sandbox?: boolean },
): Promise<ServiceUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
  if (built) writeBuild(directory, '');
  const service = await startService({
    widgetAssets: { directory },
    sandbox,
    ...(!sandbox && { mailer: { send: async () => undefined } }),
  });
  onTestFinished(async () => {
    await service.server.close();
    rmSync(directory, { recursive: true });
  });
  return service;
}

describe('scripts of the widget', () => {
  it('can be loaded by every site, as classic scripts and as modules', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: true });
    for (const file of FILES) {
      const response = await service.request(`/widget/${file}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(`/* ${file} */`);
      expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('are revalidated, and sent again only after a change', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: true });
    const first = await service.request('/widget/latchkey.js');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const again = await service.request('/widget/latchkey.js', { headers });
    expect(again.status).toBe(304);
  });

  it('are cached for ten minutes outside of the sandbox', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: true, sandbox: false });
    const response = await service.request('/widget/latchkey.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
  });

  it('get 503 with the build command when they are not built', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: false });
    for (const file of FILES) {
      const response = await service.request(`/widget/${file}`);
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('npm run build');
    }
  });

  it('have an immutable address with a hash for subresource integrity', async ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeBuild(directory, '');
    const service = await startService({ widgetAssets: { directory } });
    onTestFinished(() => service.server.close());
    const release = await (await service.request('/widget/release.json')).json();
    const { url, integrity } = release.files['latchkey.js'];
    expect(url).toBe(`${service.baseUrl}/widget/${release.name}/latchkey.js`);

    // Another build is installed. A page with the pinned old one must not be affected.
    writeBuild(directory, '2');
    const next = await (await service.request('/widget/release.json')).json();
    expect(next.name).not.toBe(release.name);
    const pinned = await service.request(new URL(url).pathname);
    expect(pinned.status).toBe(200);
    expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(pinned.headers.get('access-control-allow-origin')).toBe('*');
    const content = Buffer.from(await pinned.arrayBuffer());
    expect(`sha384-${createHash('sha384').update(content).digest('base64')}`).toBe(integrity);
    expect((await service.request(`/widget/${next.name}/messages/de.js`)).status).toBe(200);
  });

  it('keep the part of a script that a browser has in its cache, forever and for every site', async ({
    onTestFinished,
  }) => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeBuild(directory, '');
    const service = await startService({ widgetAssets: { directory } });
    onTestFinished(() => service.server.close());
    const addressOf = (content: string) =>
      `/widget/latchkey-sign-in.js?v=${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
    const old = addressOf('/* latchkey-sign-in.js */');
    await service.request('/widget/latchkey.js');

    writeBuild(directory, '2');
    await service.request('/widget/latchkey.js');
    for (const [address, content] of [
      [old, '/* latchkey-sign-in.js */'],
      [addressOf('/* latchkey-sign-in.js */2'), '/* latchkey-sign-in.js */2'],
    ] as const) {
      const response = await service.request(address);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(content);
      expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    // Another content under this address would be cached forever.
    for (const version of ['0123456789abcdef', '', '..', 'callback'])
      expect((await service.request(`/widget/latchkey-sign-in.js?v=${version}`)).status).toBe(404);
  });

  it('of an unknown release return 404', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: true });
    for (const release of ['0123456789abcdef', '..', 'callback']) {
      const response = await service.request(`/widget/${release}/latchkey.js`);
      expect(response.status, release).toBe(404);
    }
  });

  it('are the only files that are served', async ({ onTestFinished }) => {
    const service = await withAssets(onTestFinished, { built: true });
    for (const path of [
      '/widget/package.json',
      '/widget/..%2fpackage.json',
      '/widget/%2e%2e/package.json',
      '/widget/',
    ]) {
      expect((await service.request(path)).status).toBe(404);
    }
  });
});

describe('callback page', () => {
  it('names its client, loads its script, and allows no other script or connection', async ({ service }) => {
    const response = await service.request(`/widget/callback/${PUBLIC}?code=x&state=y`);
    expect(response.status).toBe(200);
    const html = await response.text();
    const $ = parsePage(html);
    expect($('main#callback').attr('data-client-id')).toBe(PUBLIC);
    expect($('main#callback').attr('data-base-url')).toBe(service.baseUrl);
    expect($('script').attr('src')).toBe('/widget/callback.js');
    for (const id of ['title', 'text', 'detail', 'hint', 'close'])
      expect($(`#callback-${id}`)).toHaveLength(1);
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]) {
      expect(policy).toContain(directive);
    }
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cross-origin-opener-policy')).toBeNull();
  });

  it('of an unknown client is a 404 page without a script', async ({ service }) => {
    for (const clientId of [`oac_${'0'.repeat(24)}`, 'x', '%3Cscript%3E']) {
      const response = await service.request(`/widget/callback/${clientId}?code=x`);
      expect(response.status).toBe(404);
      const $ = parsePage(await response.text());
      expect($('script')).toHaveLength(0);
      expect(textOf($, 'main')).not.toContain('code');
    }
  });
});
