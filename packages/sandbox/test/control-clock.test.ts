import { describe, expect } from 'vitest';
import type { ClockMove, ClockPreset, ClockReading } from '../src/index.js';
import { sandboxScenario } from '../src/index.js';
import { buyMonthly } from './buy-monthly.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';

const { users, memberships, dropSlot } = sandboxScenario;

type ClockAnswer = ClockReading & { presets: readonly ClockPreset[] };

async function presetOf(service: SandboxUnderTest, name: string) {
  const { body } = await callControl<ClockAnswer>(service, 'GET /clock');
  return body.presets.find(({ preset }) => preset === name);
}

async function move(service: SandboxUnderTest, target: object): Promise<ClockMove> {
  const { status, body } = await callControl<ClockMove>(service, 'POST /clock', target);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const linesOf = ({ happened }: ClockMove) =>
  happened.map(({ at, kind, eventType }) => `${at} ${eventType ?? kind}`);

describe('the clock of the control API', () => {
  it('tells both times, and moves by a duration', async ({ service }) => {
    expect((await callControl<ClockAnswer>(service, 'GET /clock')).body).toMatchObject({
      serviceTime: '2026-06-12T14:05:00.000Z',
      realTime: '2026-06-12T14:05:00.000Z',
      aheadMs: 0,
    });
    expect(await move(service, { duration: '90m' })).toMatchObject({
      from: '2026-06-12T14:05:00.000Z',
      serviceTime: '2026-06-12T15:35:00.000Z',
      realTime: '2026-06-12T14:05:00.000Z',
      aheadMs: 5_400_000,
    });
    expect(service.server.clock.now()).toBe(Date.parse('2026-06-12T15:35:00.000Z'));
  });

  it('lists the instants that the data offer', async ({ service }) => {
    const { body } = await callControl<ClockAnswer>(service, 'GET /clock');
    expect(Object.fromEntries(body.presets.map(({ preset, at }) => [preset, at]))).toEqual({
      'next-code-expiry': null,
      'access-token-expiry': null,
      'refresh-token-expiry': null,
      'next-renewal': null,
      'next-membership-end': '2026-07-12T14:05:00.000Z',
      'next-drop-start': '2026-06-19T14:05:00.000Z',
    });
    await service.browser().post('/sign-in/code', { email: users.ben.email });
    expect(await presetOf(service, 'next-code-expiry')).toMatchObject({
      label: `The sign-in code of ${users.ben.email} expires.`,
    });
    await buyMonthly(service, users.ben.email);
    expect(await presetOf(service, 'next-renewal')).toMatchObject({
      at: '2026-07-12T13:05:00.000Z',
      label: `The subscription of ${users.ben.email} is charged.`,
    });
  });

  it('ends a membership by its preset: the event is recorded at the end, and delivered', async ({
    service,
  }) => {
    await service.server.runBackgroundWork();
    const arrived = service.server.receiver.list().length;
    const moved = await move(service, { preset: 'next-membership-end' });
    expect(moved.serviceTime).toBe('2026-07-12T14:05:00.000Z');
    expect(linesOf(moved)).toEqual([
      '2026-06-19T14:05:00.000Z drop-start',
      '2026-07-12T14:05:00.000Z membership-end',
      '2026-07-12T14:05:00.000Z membership.updated',
    ]);
    expect(moved.happened.map(({ id }) => id)).toEqual(
      expect.arrayContaining([dropSlot.id, memberships.adaProduct.id]),
    );
    expect(service.server.receiver.list()).toHaveLength(arrived + 1);
  });

  it('renews each month in between in order, and each at its own time', async ({ service }) => {
    await buyMonthly(service, users.ben.email);
    const moved = await move(service, { duration: '95d' });
    const payments = linesOf(moved).filter((line) => line.endsWith('payment.success'));
    expect(payments).toEqual([
      '2026-07-12T13:05:00.000Z payment.success',
      '2026-08-11T13:05:00.000Z payment.success',
      '2026-09-10T13:05:00.000Z payment.success',
    ]);
    expect(linesOf(moved)).toEqual(
      linesOf(moved).toSorted((a, b) => a.slice(0, 24).localeCompare(b.slice(0, 24))),
    );
    expect(moved.total).toBe(moved.happened.length);
  });

  it('declines a renewal at its time, and the paid time ends an hour later', async ({ service }) => {
    await buyMonthly(service, users.ben.email, 'card-0341');
    const moved = await move(service, { duration: '40d' });
    expect(linesOf(moved)).toEqual(
      expect.arrayContaining([
        '2026-07-12T13:05:00.000Z payment.failed',
        '2026-07-12T14:05:00.000Z membership-end',
        '2026-07-12T14:05:00.000Z membership.updated',
      ]),
    );
    expect(linesOf(moved).filter((line) => line.endsWith('payment.success'))).toEqual([]);
  });

  it('tries failed deliveries again at their times', async ({ service }) => {
    service.server.receiver.mode = 'fail';
    await service.server.operator.end('memberships', memberships.adaCommunity.id);
    await service.server.runBackgroundWork();
    const failures = service.server.receiver.list().length;
    service.server.receiver.mode = 'accept';
    await move(service, { duration: '1h' });
    expect(service.server.receiver.list().length).toBeGreaterThan(failures);
    expect(service.server.receiver.list()[0]).toMatchObject({ answered: 204 });
  });

  it('is moved by the buttons of the home page in the same way', async ({ service }) => {
    await buyMonthly(service, users.ben.email);
    const browser = service.browser();
    await browser.post('/sandbox/clock', { advance: '31d' });
    await browser.post('/sandbox/clock', { advance: '31d' });
    const times = (await service.server.control.deliveries.list({ limit: 100 })).events
      .filter(({ type }) => type === 'payment.success')
      .map(({ createdAt }) => createdAt);
    expect(times).toContain('2026-08-11T13:05:00.000Z');
    expect(service.server.clock.now()).toBe(Date.parse('2026-08-13T14:05:00.000Z'));
  });

  it('moves to an instant, and tells listeners', async ({ service }) => {
    const seen: unknown[] = [];
    service.server.control.events.subscribe(({ type, data }) => seen.push([type, data]));
    const moved = await service.server.control.clock.moveTo('2026-12-24T18:00:00Z');
    expect(moved.serviceTime).toBe('2026-12-24T18:00:00.000Z');
    expect(seen).toContainEqual(['clock', expect.objectContaining({ serviceTime: moved.serviceTime })]);
  });

  it('moves by calendar months, to the last day of a shorter one', async ({ service }) => {
    await move(service, { instant: '2026-08-31T10:00:00Z' });
    expect((await move(service, { duration: '1mo' })).serviceTime).toBe('2026-09-30T10:00:00.000Z');
    expect((await move(service, { duration: '5mo' })).serviceTime).toBe('2027-02-28T10:00:00.000Z');
    expect((await move(service, { duration: '1w' })).serviceTime).toBe('2027-03-07T10:00:00.000Z');
  });

  it('moves to the renewal and the end of one membership', async ({ service }) => {
    await buyMonthly(service, users.ben.email, 'card-0341');
    const { operator } = service.server;
    const bought = (await operator.list('memberships')).records.find(({ userId }) => userId === users.ben.id);
    const membershipId = String(bought?.id);
    const renewal = await move(service, { membershipId, to: 'renewal' });
    expect(renewal.serviceTime).toBe('2026-07-12T13:05:00.000Z');
    expect(linesOf(renewal)).toContain('2026-07-12T13:05:00.000Z payment.failed');
    expect((await move(service, { membershipId, to: 'end' })).serviceTime).toBe('2026-07-12T14:05:00.000Z');
    for (const [target, status] of [
      [{ membershipId, to: 'end' }, 409],
      [{ membershipId: memberships.adaCommunity.id, to: 'end' }, 409],
      [{ membershipId: memberships.adaProduct.id, to: 'renewal' }, 409],
      [{ membershipId: users.ben.id, to: 'end' }, 404],
      [{ membershipId, to: 'start' }, 400],
    ] as const) {
      expect((await callControl(service, 'POST /clock', target)).status).toBe(status);
    }
  });

  it('keeps what the last move did, until a reset or a snapshot', async ({ service }) => {
    const last = async () =>
      (await callControl<{ lastMove: ClockMove | null }>(service, 'GET /clock')).body.lastMove;
    expect(await last()).toBeNull();
    await service.server.control.snapshots.save('before');
    const moved = await move(service, { duration: '8d' });
    expect(await last()).toEqual(moved);
    await service.server.control.snapshots.load('before');
    expect(await last()).toBeNull();
    await move(service, { duration: '8d' });
    await service.server.control.snapshots.reset();
    expect(await last()).toBeNull();
  });

  it('runs moves that are asked for at once one after another', async ({ service }) => {
    const { clock } = service.server.control;
    const moves = await Promise.all([clock.advance(60_000), clock.advance(60_000), clock.advance(60_000)]);
    expect(moves.map(({ from, serviceTime }) => [from, serviceTime])).toEqual([
      ['2026-06-12T14:05:00.000Z', '2026-06-12T14:06:00.000Z'],
      ['2026-06-12T14:06:00.000Z', '2026-06-12T14:07:00.000Z'],
      ['2026-06-12T14:07:00.000Z', '2026-06-12T14:08:00.000Z'],
    ]);
  });

  it.for([
    [{}, 400],
    [{ duration: '-1h' }, 400],
    [{ duration: '99999w' }, 400],
    [{ duration: '999mo' }, 400],
    [{ duration: '999999999mo' }, 400],
    [{ duration: '1h', preset: 'next-renewal' }, 400],
    [{ instant: '2020-01-01T00:00:00Z' }, 400],
    [{ instant: '2099-01-01T00:00:00Z' }, 400],
    [{ instant: 'tomorrow' }, 400],
    [{ preset: 'next-renewal' }, 409],
  ] as const)('rejects the move %j', async ([target, status], { service }) => {
    const answer = await callControl(service, 'POST /clock', target);
    expect([answer.status, service.server.clock.now()]).toEqual([status, service.clock.now()]);
  });
});
