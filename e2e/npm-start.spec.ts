import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { signInWithPopup } from './world.js';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

let running: ChildProcess | undefined;

test.afterEach(async () => {
  if (running?.pid === undefined || running.exitCode !== null) return;
  const ended = new Promise((resolve) => running?.once('exit', resolve));
  process.kill(-running.pid, 'SIGINT');
  await ended;
});

test('npm start prints where to click, and what it prints works', async ({ page }) => {
  const [service, shop, backend] = [await freePort(), await freePort(), await freePort()];
  running = spawn('npm', ['start'], {
    cwd: new URL('..', import.meta.url),
    detached: true,
    env: {
      ...process.env,
      LATCHKEY_PORT: `${service}`,
      LATCHKEY_SHOP_PORT: `${shop}`,
      LATCHKEY_BACKEND_SHOP_PORT: `${backend}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  running.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  running.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed, { timeout: 40_000 }).toContain(`http://localhost:${backend}`);
  expect(printed).toContain(`http://localhost:${shop}`);
  expect(printed).toContain(`http://127.0.0.1:${service}`);

  await page.goto(`http://localhost:${shop}`);
  await signInWithPopup(page, 'ada@example.com');
  await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
});
