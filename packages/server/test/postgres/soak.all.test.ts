import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkSoak } from '../../soak/checker/check-soak.js';
import { parseLog } from '../../soak/checker/soak-history.js';
import { runSoak } from '../../soak/soak.js';

/** Seed of the choices. `npm run soak` takes another one in each run. A failure prints it, and the path of the log. */
const SEED = 20_261;
const DURATION_MS = 4_000;
const MINIMUM_CALLS = 50;

it('serves all flows through kills, crashes of PostgreSQL, lost connections and clock jumps', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-log-'));
  const logPath = join(folder, `postgres-${SEED}.jsonl`);
  await runSoak({
    engine: 'postgres',
    seed: SEED,
    durationMs: DURATION_MS,
    minimumCalls: MINIMUM_CALLS,
    logPath,
    members: 4,
    pace: { min: 100, max: 500 },
    memoryEveryMs: 500,
  });
  const { violations, figures } = checkSoak(parseLog(readFileSync(logPath, 'utf8')));
  expect(violations, `seed ${SEED}, log ${logPath}`).toEqual([]);
  expect(figures.acknowledged).toBeGreaterThanOrEqual(MINIMUM_CALLS);
  expect(figures.events).toBeGreaterThan(8);
  expect(Object.keys(figures.faults)).not.toEqual([]);
  // The log of a failure is kept.
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
