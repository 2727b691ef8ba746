import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { webKitPrograms } from '../../scripts/webkit.mjs';
import { LONG } from '../levels.js';
import { createWebKitHost } from './mini-browser.js';
import { expect, test } from './webkit-world.js';

/** Returns the ids of the processes with a text in their command line. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text);
    } catch {
      // The process has ended since.
      return false;
    }
  });
}

test('a browser that hangs at its start is ended, and another one is started', { tag: LONG }, async ({
  world,
}) => {
  const programs = webKitPrograms();
  if (!programs) throw new Error('WebKitGTK is not installed: apt-get install webkit2gtk-driver xvfb');
  const browser = test.info().outputPath('browser-that-hangs-once');
  writeFileSync(
    browser,
    `#!/bin/sh
if mkdir "$0-started" 2>/dev/null; then exec tail -f "$0"; fi
exec '${programs.browser}' "$@"
`,
    { mode: 0o755 },
  );
  const host = createWebKitHost({ ...programs, browser }, { startLimitMs: 15_000 });
  const driver = await host.open();
  expect(processesWith(browser)).toEqual([]);
  await driver.get(world.scriptTagShop.url);
  expect(await driver.getTitle()).not.toBe('');
  await host.close();
});
