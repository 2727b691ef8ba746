import { webhookEventSchemas } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import {
  type ClockMove,
  type ClockReading,
  createSandbox,
  type RunningSandbox,
  sandboxScenario,
} from '../src/index.js';

const { users } = sandboxScenario;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const DAY_MS = 24 * 3600_000;

/** Moves the clock, and checks that the sandbox goes on answering and tells how far the move is. */
async function moveWatched({ baseUrl, control }: RunningSandbox, ms: number): Promise<ClockMove> {
  const begun = Date.parse(control.clock.read().serviceTime);
  const seen: number[] = [];
  const end = control.events.subscribe(({ type, data }) => {
    if (type === 'clock') seen.push(Date.parse((data as ClockReading).serviceTime));
  });
  let isMoving = true;
  const moving = control.clock.advance(ms).finally(() => {
    isMoving = false;
  });
  expect((await fetch(`${baseUrl}/oauth/client/unknown`)).status).toBe(404);
  expect(isMoving).toBe(true);
  const moved = await moving;
  end();
  expect(seen.at(-1)).toBe(Date.parse(moved.serviceTime));
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.filter((at) => at > begun && at < begun + ms)).not.toEqual([]);
  return moved;
}

describe('a busy shop', () => {
  it('has 10,000 more members, the same at each start, and can be added again', async () => {
    const sandbox = await createSandbox({ scenario: 'busy-shop', logger: quiet, backgroundWork: false });
    const { snapshots, scenarios, deliveries } = sandbox.control;
    const first = await snapshots.save('first');
    await scenarios.add('busy-shop');
    expect((await snapshots.save('again')).rows).toBe(first.rows);

    const { tables } = snapshots.export('first');
    expect(tables.users?.length).toBe(10_000 + Object.keys(users).length);
    expect(new Set(tables.users?.map(({ name }) => name)).size).toBe(tables.users?.length);
    const ofScenario = ({ id }: { id?: unknown }) => /^5eed[67]/.test(String(id));
    const events = tables.webhook_events?.filter(ofScenario) ?? [];
    expect([events.length, tables.webhook_deliveries?.filter(ofScenario).length]).toEqual([1_000, 1_000]);
    for (const { body, created_at } of events) {
      const event = webhookEventSchemas['payment.success'].strict.parse(JSON.parse(String(body)));
      expect(Date.parse(event.createdAt)).toBe(created_at);
    }
    expect((await deliveries.list()).events.length).toBeGreaterThan(0);
    expect((await sandbox.operator.list('plans')).records.map(({ name }) => name)).toContain('Season ticket');

    // Everything is in the past: nothing is due, and the next renewals follow within days.
    await sandbox.runBackgroundWork();
    await snapshots.save('later');
    expect(snapshots.export('later').tables.webhook_events?.length).toBe(tables.webhook_events?.length);
    const { happened, total } = await moveWatched(sandbox, 4 * DAY_MS);
    expect([happened.length, total > 1_000]).toEqual([1_000, true]);
    expect(happened.map(({ eventType }) => eventType)).toContain('payment.success');
    const times = happened.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    await snapshots.reset('sample-data');
    expect((await sandbox.operator.list('users')).records.length).toBe(Object.keys(users).length);
    await sandbox.close();
  }, 180_000);
});
