import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createVite, loadConfigFromFile } from 'vite';
import { expect, it } from 'vitest';

const RECIPES = join(import.meta.dirname, '../../examples/recipes');
const command = { command: 'serve', mode: 'development' } as const;

// The kit warns if the Host of a request isn't that of `appUrl`.
it.each(['react', 'vue', 'svelte', 'angular', 'preact'])(
  'the proxy of the recipe for %s keeps the Host',
  async (name) => {
    const loaded = await loadConfigFromFile(command, join(RECIPES, name, 'vite.config.ts'));
    const backend = createServer((request, response) => response.end(request.headers.host));
    await new Promise<void>((listening) => backend.listen(0, '127.0.0.1', listening));
    const root = mkdtempSync(join(tmpdir(), 'latchkey-recipe-'));
    const proxy = JSON.parse(
      JSON.stringify(loaded?.config.server?.proxy).replaceAll(
        '4405',
        `${(backend.address() as AddressInfo).port}`,
      ),
    );
    const vite = await createVite({ configFile: false, root, server: { port: 0, ws: false, proxy } });
    try {
      await vite.listen();
      const page = new URL(vite.resolvedUrls?.local[0] ?? '');
      expect(await (await fetch(new URL('/auth/session', page))).text()).toBe(page.host);
    } finally {
      await vite.close();
      backend.close();
      rmSync(root, { recursive: true });
    }
  },
);
