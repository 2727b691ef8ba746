// Measures how smoothly the console scrolls through 10,000 requests and 1,000 deliveries, in comparison with a plain page that
// contains the same rows as static markup. Both run by turns in one Chromium, and only the ratio of their frames counts. The
// heap is measured after garbage collection. The run fails if a list has more rows than fit in the window, or if it
// reaches less than half of the frames.
import { createSandbox, sandboxScenario } from '@latchkey/sandbox';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.mjs';

const REQUESTS = 10_000;
const DELIVERIES = 1_000;
const ROUNDS = 3;
const SCROLL_MS = 2_000;
const FRAMES_RATIO_MIN = 0.5;
const ROWS_MAX = 150;

const sandbox = await createSandbox({ requestLogEntries: REQUESTS });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_ARGS });
try {
  // `node packages/console/bench/scroll.mjs requests` measures one of them.
  const [only] = process.argv.slice(2);
  if (only !== 'webhooks') {
    await sendRequests();
    await measure('requests', REQUESTS);
  }
  if (only !== 'requests') {
    await sendEvents();
    await measure('webhooks', DELIVERIES);
  }
} finally {
  await browser.close();
  await sandbox.close();
}

async function sendRequests() {
  for (let sent = 0; sent < REQUESTS; sent += 200) {
    const calls = Array.from({ length: 200 }, (_, index) => `/oauth/client/unknown-${sent + index}`);
    await Promise.all(calls.map(async (path) => (await fetch(`${sandbox.baseUrl}${path}`)).arrayBuffer()));
  }
}

/** Records events about one membership, each with one delivery to the built-in receiver. */
async function sendEvents() {
  const [membership] = Object.values(sandboxScenario.memberships);
  const headers = {
    Authorization: `Bearer ${sandbox.controlToken}`,
    'Content-Type': 'application/json',
  };
  const body = JSON.stringify({ type: 'membership.updated', membershipId: membership.id });
  for (let sent = 0; sent < DELIVERIES; sent += 1) {
    const response = await fetch(`${sandbox.baseUrl}/sandbox/api/events`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  }
}

async function measure(view, entries) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(`${sandbox.baseUrl}/sandbox/${view}`);
  const list = page.getByRole('listbox').first();
  await list.getByRole('option').first().waitFor();
  const loadMs = await loadAll(list, entries);
  const rows = await list.getByRole('option').count();
  const text = await list.getByRole('option').first().textContent();
  const plain = await context.newPage();
  await plain.setContent(plainList(text ?? '', entries));
  const frames = { console: [], plain: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.bringToFront();
    frames.console.push(await framesWhileScrolling(list));
    await plain.bringToFront();
    frames.plain.push(await framesWhileScrolling(plain.locator('#list')));
  }
  const ratio = median(frames.console) / median(frames.plain);
  console.log(
    [
      `${view}: ${entries} entries loaded in ${(loadMs / 1000).toFixed(1)} s, ${rows} rows in the page`,
      `frames in ${SCROLL_MS} ms: ${median(frames.console)}, plain list ${median(frames.plain)}, ratio ${ratio.toFixed(2)}`,
      `heap ${await heapMegabytes(page)} MB, plain list ${await heapMegabytes(plain)} MB`,
    ].join('\n  '),
  );
  await context.close();
  if (rows > ROWS_MAX) fail(`${view} has ${rows} rows in the page, more than ${ROWS_MAX}.`);
  if (ratio < FRAMES_RATIO_MIN)
    fail(`${view} scrolls with ${ratio.toFixed(2)} of the frames of a plain list.`);
}

/** Scrolls to the end until the last entry is loaded. */
async function loadAll(list, entries) {
  const start = performance.now();
  const last = list.locator(`[aria-posinset="${entries}"]`);
  while ((await last.count()) === 0) {
    if (performance.now() - start > 120_000) throw new Error(`Entry ${entries} does not load.`);
    await list.press('End');
  }
  await list.press('Home');
  return performance.now() - start;
}

async function framesWhileScrolling(list) {
  return await list.evaluate(
    (element, milliseconds) =>
      new Promise((resolve) => {
        element.scrollTop = 0;
        let frames = 0;
        const start = performance.now();
        const step = () => {
          element.scrollTop += 150;
          frames += 1;
          if (performance.now() - start < milliseconds) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    SCROLL_MS,
  );
}

async function heapMegabytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return (usedSize / 1024 / 1024).toFixed(1);
}

function plainList(text, entries) {
  const row = `<div style="padding:6px 12px;border-bottom:1px solid #ddd">${text.replaceAll('<', '&lt;')}</div>`;
  return `<!doctype html><title>Plain list</title>
<div id="list" style="height:560px;overflow:auto;font:13px monospace">${row.repeat(entries)}</div>`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
