import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** A file that pages load. Its path contains a hash of its content, so browsers can cache it forever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

type Encoding = 'br' | 'gzip';

/** Compressed contents. Compression takes tens of milliseconds, so the servers of a process share the results. */
const compressedAssets = new WeakMap<Asset, Map<Encoding, Buffer>>();

/**
 * Creates an asset below `/assets/`.
 *
 * @param name file name without the hash: `pages.css`.
 */
export function assetOf(name: string, type: string, content: string | Buffer): Asset {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const dot = name.lastIndexOf('.');
  return { path: `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`, type, content: bytes };
}

/**
 * Sends an asset, compressed if the browser accepts it. Only public files may be compressed: the length of a compressed
 * page could reveal its secrets to an attacker who controls a part of it (BREACH). Fonts are already compressed. Pages
 * on foreign hosts may load assets, including fonts, which browsers request with CORS.
 */
export function sendAsset(asset: Asset): RequestHandler {
  const { type, content } = asset;
  const isCompressible = !type.startsWith('font/');
  return (request, response) => {
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Content-Type': type,
    });
    if (!isCompressible) return void response.send(content);
    response.vary('Accept-Encoding');
    // The smallest encoding that the browser accepts.
    const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
    if (encoding === undefined) return void response.send(content);
    response.set('Content-Encoding', encoding).send(compressedContent(asset, encoding));
  };
}

function compressedContent(asset: Asset, encoding: Encoding): Buffer {
  const known = compressedAssets.get(asset) ?? new Map<Encoding, Buffer>();
  compressedAssets.set(asset, known);
  const body = known.get(encoding) ?? compress(asset.content, encoding);
  known.set(encoding, body);
  return body;
}

function compress(content: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(content, { level: 9 });
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}
