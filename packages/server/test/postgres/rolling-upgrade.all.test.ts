import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { checkSoak } from '../../soak/checker/check-soak.js';
import { parseLog } from '../../soak/checker/soak-history.js';
import type { LogEntry } from '../../soak/log/log-entries.js';
import { runSoak } from '../../soak/soak.js';
import { NEXT_MIGRATIONS } from '../../soak/upgrade/next-migrations.js';
import { type UpgradeReport, upgradeAll } from '../../soak/upgrade/rolling-upgrade.js';

const SEED = 4_711;
/** Time of the load after the upgrade, in milliseconds. */
const DURATION_MS = 1_000;

/** Requests without a response or with a server error. */
function failures(entries: readonly LogEntry[]): LogEntry[] {
  return entries.filter((entry) => entry.kind === 'call' && (entry.status === null || entry.status >= 500));
}

/**
 * Events that the endpoint without failures accepted more than once during the upgrade. After it, the clock jumps to the retries
 * of the other endpoint. A jump ends the leases of deliveries under way, so those can be repeated.
 */
function doubled(entries: readonly LogEntry[]): string[] {
  const jump = entries.find(({ kind }) => kind === 'clock');
  const until = jump?.kind === 'clock' ? jump.from : Number.POSITIVE_INFINITY;
  const accepted = entries.flatMap((entry) =>
    entry.kind === 'webhook' && entry.receiver === 'steady' && entry.answered === 204 && entry.at < until
      ? [entry.eventId]
      : [],
  );
  return accepted.filter((id, index) => accepted.indexOf(id) !== index);
}

it('fails no request and loses nothing in a rolling upgrade of three processes, with a way back', {
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-upgrade-log-'));
  const logPath = join(folder, `upgrade-${SEED}.jsonl`);
  let report: UpgradeReport | undefined;
  let notes: { noted: number; events: number } | undefined;
  await runSoak({
    engine: 'postgres',
    seed: SEED,
    durationMs: DURATION_MS,
    logPath,
    members: 4,
    processes: 3,
    async disturb(world) {
      report = await upgradeAll(world);
      notes = await countNotes(world.database);
    },
  });
  const entries = parseLog(readFileSync(logPath, 'utf8'));
  const { violations, figures } = checkSoak(entries);
  const where = `seed ${SEED}, log ${logPath}`;
  const names = Object.entries(NEXT_MIGRATIONS);
  const ofKind = (kind: string) => names.flatMap(([name, one]) => (one.kind === kind ? [name] : []));
  expect(report).toEqual({
    expanded: ofKind('expand'),
    tooEarly: expect.stringContaining('Processes of an earlier version are connected'),
    contracted: ofKind('contract'),
    refused: expect.stringContaining(`has the migrations ${ofKind('contract')} of a newer version`),
  });
  expect(failures(entries), where).toEqual([]);
  expect(violations, where).toEqual([]);
  expect(doubled(entries), where).toEqual([]);
  expect(figures.acknowledged).toBeGreaterThan(100);
  expect(figures.events).toBeGreaterThan(30);
  // Both versions have written events while they ran together.
  expect(notes?.noted).toBeGreaterThan(0);
  expect(notes?.noted).toBeLessThan(notes?.events ?? 0);
  // The log of a failure is kept.
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

async function countNotes(database: string): Promise<{ noted: number; events: number }> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(
    'select count(event_notes.event_id)::int as noted, count(*)::int as events from webhook_events left join event_notes on event_id = id',
  );
  await client.end();
  return rows[0];
}
