// Measures moves of the clock in the scenario `busy-shop` with 10,000 members: the time of each move, and how long other
// requests wait meanwhile. The run fails if the month takes longer than its budget, or if the process blocks for too long.
//
//   npm run build && node packages/sandbox/bench/move-clock.mjs [1d 1w 1mo]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createSandbox } from '../dist/index.js';

const MONTH_BUDGET_MS = 8_000;
const BLOCK_BUDGET_MS = 200;
/** Time between two requests of a visitor who uses the sandbox meanwhile. */
const PAUSE_MS = 20;

const durations = process.argv.length > 2 ? process.argv.slice(2) : ['1d', '1w', '1mo'];
const log = () => undefined;
const sandbox = await createSandbox({
  scenario: 'busy-shop',
  logger: { info: log, warn: console.warn, error: console.error },
});
try {
  for (const duration of durations) await measure(duration);
} finally {
  await sandbox.close();
}

async function measure(duration) {
  const blocked = monitorEventLoopDelay({ resolution: 5 });
  const started = performance.now();
  let isOver = false;
  const moving = move(duration).finally(() => {
    isOver = true;
  });
  blocked.enable();
  const waits = [];
  while (!isOver) {
    waits.push(await timeOf('/sandbox/api/events?limit=1'));
    await pause(PAUSE_MS);
  }
  blocked.disable();
  const { happened, total, bytes } = await moving;
  const ms = performance.now() - started;
  const blockedMs = blocked.max / 1e6;
  waits.sort((one, other) => one - other);
  console.log(
    `${duration.padEnd(4)} ${Math.round(ms)} ms: ${total} happenings, ${happened.length} listed in ${Math.round(bytes / 1024)} KiB; ` +
      `${waits.length} requests meanwhile, median ${waits[waits.length >> 1].toFixed(1)} ms, ` +
      `longest ${waits.at(-1).toFixed(0)} ms; event loop blocked for at most ${blockedMs.toFixed(0)} ms`,
  );
  if (blockedMs > BLOCK_BUDGET_MS || (duration === '1mo' && ms > MONTH_BUDGET_MS)) process.exitCode = 1;
}

async function move(duration) {
  const response = await call('/sandbox/api/clock', { method: 'POST', body: JSON.stringify({ duration }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { ...JSON.parse(text), bytes: text.length };
}

async function timeOf(path) {
  const started = performance.now();
  const response = await call(path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return performance.now() - started;
}

function call(path, init) {
  const headers = { Authorization: `Bearer ${sandbox.controlToken}`, 'Content-Type': 'application/json' };
  return fetch(`${sandbox.baseUrl}${path}`, { ...init, headers });
}
