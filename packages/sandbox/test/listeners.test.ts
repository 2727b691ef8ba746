import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@latchkey/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type RunningSandbox, sandboxScenario } from '../src/index.js';

const { memberships } = sandboxScenario;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const DAY = 24 * 3600_000;
const opened = { name: 'mine', consumer: 'program-1', from: 'last' } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-listeners-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function emit({ control }: RunningSandbox): Promise<string> {
  const { id } = await control.deliveries.sendTest({
    type: 'membership.updated',
    membershipId: memberships.adaCommunity.id,
  });
  return id;
}

async function waiting({ control }: RunningSandbox): Promise<string[]> {
  const deliveries = await control.listeners.waiting('mine', { consumer: 'program-1', limit: 100 });
  return deliveries.map(({ eventId }) => eventId);
}

describe('a listener', () => {
  it('misses nothing after a restart that takes the clock back', async () => {
    const settings = {
      database: `sqlite:${join(folder, 'moved.sqlite')}`,
      backgroundWork: false,
      clock: createManualClock(Date.parse('2026-06-12T14:05:00.000Z')),
      logger,
    };
    const first = await createSandbox(settings);
    await first.control.clock.advance(10 * DAY);
    const skipped = await emit(first);
    await first.control.clock.advance(10 * DAY);
    await first.control.listeners.open(opened);
    const missed = await emit(first);
    await first.close();

    settings.clock.advance(60_000);
    const second = await createSandbox({ ...settings, scenario: 'empty' });
    try {
      const recent = await emit(second);
      expect(new Set(await waiting(second))).toEqual(new Set([recent, missed]));
      expect(await waiting(second)).not.toContain(skipped);
    } finally {
      await second.close();
    }
  });

  it('begins with the loaded time, in the transaction that loads a snapshot', async () => {
    const clock = createManualClock(Date.parse('2026-06-12T14:05:00.000Z'));
    const sandbox = await createSandbox({ backgroundWork: false, clock, logger });
    try {
      clock.advance(60_000);
      await sandbox.control.listeners.open(opened);
      await emit(sandbox);
      clock.advance(60_000);
      await sandbox.control.snapshots.save('later');
      expect(await waiting(sandbox)).toHaveLength(1);
      const looks: Promise<string[]>[] = [];
      const loading = sandbox.control.snapshots.load('later').finally(() => clearInterval(timer));
      const timer = setInterval(() => looks.push(waiting(sandbox)), 1);
      await loading;
      await Promise.all(looks);
      expect(await waiting(sandbox)).toEqual([]);
      expect(await emit(sandbox)).toEqual((await waiting(sandbox))[0]);
    } finally {
      await sandbox.close();
    }
  });
});
