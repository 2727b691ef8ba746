import { afterEach, expect, it } from 'vitest';
import { latchkey } from './call.js';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';

const TOKEN = 'token-of-the-tests-0123456789';
const SITES = ['http://localhost:5601', 'https://shop.example'];

let running: RunningLatchkey | undefined;
afterEach(async () => {
  running?.process.kill();
  await running?.ended;
});

it('latchkey sandbox registers several sites, and sends events to the first one, after a reset too', async () => {
  const flags = SITES.flatMap((site) => ['--site', site]);
  running = startLatchkey(['sandbox', '--port', '0', '--log-level', 'info', ...flags], {
    LATCHKEY_SANDBOX_TOKEN: TOKEN,
  });
  const address = await listeningAt(running);
  await running.waitFor(/Press Ctrl-C/);
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${address}/sandbox/api/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
  for (const clientId of ['oac_a1b2c3d4e5f60718293a4b5c', 'oac_c0ffee00c0ffee00c0ffee00']) {
    for (const site of SITES) {
      const client = await fetch(
        `${address}/oauth/client/${clientId}?widget_origin=${encodeURIComponent(site)}`,
      );
      expect(await client.json(), `${clientId} ${site}`).toMatchObject({
        data: { widgetOriginAllowed: true },
      });
    }
  }
  const urls = async () => JSON.stringify(await (await api('data/webhooks')).json());
  expect(await urls()).toContain('http://localhost:5601/webhooks');
  expect((await api('reset', { method: 'POST', body: '{}' })).status).toBe(204);
  expect(await urls()).toContain('http://localhost:5601/webhooks');
  expect((await api('reset', { method: 'POST', body: '{"scenario":"empty"}' })).status).toBe(204);
  expect(await urls()).not.toContain('5601');
});

it.each(['--origin', '--url', '--widget-origin'])(
  'latchkey sandbox %s names the flag that was meant',
  async (flag) => {
    const { code, err } = await latchkey(['sandbox', flag, 'http://localhost:3000']);
    expect(code).toBe(2);
    expect(err).toBe(`Unknown flag ${flag}. Did you mean --site?`);
  },
);
