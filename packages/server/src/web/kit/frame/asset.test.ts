import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Asset, assetOf, sendAsset } from './asset.js';

/** Starts a server that sends the asset, and records the bodies that it sends. */
async function serve(asset: Asset) {
  const bodies: unknown[] = [];
  const app = express();
  app.use((_request, response, next) => {
    const send = response.send.bind(response);
    response.send = (body: unknown) => {
      bodies.push(body);
      return send(body);
    };
    next();
  });
  app.get(asset.path, sendAsset(asset));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    bodies,
    request: (encoding: string) =>
      fetch(`http://127.0.0.1:${port}${asset.path}`, { headers: { 'Accept-Encoding': encoding } }),
  };
}

describe('asset', () => {
  it.each(['br', 'gzip'])('is compressed with %s once for all servers of a process', async (encoding) => {
    const content = '.button { color: red }'.repeat(100);
    const asset = assetOf('pages.css', 'text/css', content);
    const servers = [await serve(asset), await serve(asset)];
    for (const server of servers) {
      for (const _request of ['first', 'second']) {
        const response = await server.request(encoding);
        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(await response.text()).toBe(content);
      }
    }
    const [first, ...others] = servers.flatMap(({ bodies }) => bodies);
    expect(first).toBeInstanceOf(Buffer);
    expect(others).toHaveLength(3);
    // Equal bytes are not enough: the same buffer shows that nothing was compressed again.
    for (const body of others) expect(body === first).toBe(true);
  });

  it('is not mixed up with another one, or with another encoding', async () => {
    const texts = ['.one {}', '.two {}'];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answers = texts.map(async (text) => {
        const server = await serve(assetOf('pages.css', 'text/css', text));
        return await (await server.request(encoding)).text();
      });
      expect(await Promise.all(answers)).toEqual(texts);
    }
  });
});
