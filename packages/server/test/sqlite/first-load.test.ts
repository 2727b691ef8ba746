import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { load } from 'cheerio';
import { describe, expect } from 'vitest';
import { EXTENDED_UI_FONT, PAGE_STYLESHEET, UI_FONT } from '../../src/web/kit/frame/page-assets.js';
import { it, type ServiceUnderTest } from '../service-under-test.js';

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Bytes of the headers and the body on the wire. */
  readonly bytes: number;
}

/** Sends a request as browsers do. Unlike `fetch`, it returns the body as sent. */
function get(
  { server }: ServiceUnderTest,
  path: string,
  encodings = 'gzip, deflate, br, zstd',
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(server.baseUrl).host, 'accept-encoding': encodings, accept: 'text/html' };
    const sent = httpRequest({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const bytes = body.length + response.rawHeaders.join('12').length;
        resolve({ headers: response.headers, body, bytes });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('first load of the sign-in page', () => {
  it('takes three requests and less than 60 kB', async ({ service }) => {
    const page = await get(service, '/sign-in');
    const $ = load(page.body.toString());
    const files = $('link[rel="stylesheet"], link[rel="preload"], script[src]')
      .toArray()
      .map((element) => $(element).attr('href') ?? $(element).attr('src') ?? '');
    expect(files).toEqual([UI_FONT.path, PAGE_STYLESHEET.path]);
    const loaded = await Promise.all(files.map((path) => get(service, path)));
    const bytes = [page, ...loaded].map((response) => response.bytes);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(60_000);
  });

  it('has fonts of less than 40 kB', () => {
    expect(UI_FONT.content.length + EXTENDED_UI_FONT.content.length).toBeLessThan(40_000);
  });
});

describe('assets', () => {
  it('are sent in the best encoding that the browser accepts', async ({ service }) => {
    const { path, content } = PAGE_STYLESHEET;
    const brotli = await get(service, path);
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(brotliDecompressSync(brotli.body).equals(content)).toBe(true);
    expect((await get(service, path, '*')).headers['content-encoding']).toBe('br');
    const gzip = await get(service, path, 'gzip, br;q=0');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).equals(content)).toBe(true);
    for (const encodings of ['', 'identity', 'br;q=0, gzip;q=0.0', 'gzipped']) {
      const plain = await get(service, path, encodings);
      expect(plain.headers['content-encoding'], encodings).toBeUndefined();
      expect(plain.headers.vary).toBe('Accept-Encoding');
      expect(plain.body.equals(content)).toBe(true);
    }
  });

  it('are cached forever, and load on pages of a foreign host, fonts included', async ({ service }) => {
    const font = await get(service, UI_FONT.path);
    expect(font.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(font.headers['content-encoding']).toBeUndefined();
    expect(font.body.equals(UI_FONT.content)).toBe(true);
  });
});

describe('pages', () => {
  it('are not compressed, because their length could reveal a secret', async ({ service }) => {
    expect((await get(service, '/sign-in')).headers['content-encoding']).toBeUndefined();
  });

  it('allow the page script in areas and on the sandbox’s pages, and no script where people sign in', async ({
    service,
  }) => {
    const policyOf = async (path: string) =>
      String((await get(service, path)).headers['content-security-policy']);
    expect(await policyOf('/sandbox')).toContain("script-src 'self'");
    for (const path of ['/sign-in', '/signed-out', '/no-such-page']) {
      expect(await policyOf(path)).toContain("font-src 'self'");
      expect(await policyOf(path)).not.toContain('script-src');
    }
  });
});
