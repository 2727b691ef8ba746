import { describe, expect, it } from 'vitest';
import { memoryTrends } from '../../soak/checker/check-memory.js';
import { checkSoak } from '../../soak/checker/check-soak.js';
import { createHistory, parseLog } from '../../soak/checker/soak-history.js';
import type { Rule } from '../../soak/checker/violation.js';
import type { LogEntry, WebhookEntry } from '../../soak/log/log-entries.js';
import {
  add,
  type Corruption,
  call,
  changeBooks,
  changeCall,
  iso,
  sampleSoak,
  T0,
  webhook,
  withoutEvent,
} from './sample-soak.js';
import { PRODUCT_CORRUPTIONS } from './soak-product-corruptions.js';

const MINUTE = 60_000;

/** Returns the rules that a log violates, each once. */
function rulesOf(entries: readonly LogEntry[]): Rule[] {
  return [...new Set(checkSoak(entries).violations.map(({ rule }) => rule))];
}

/** Changes the deliveries of an event. */
function changeEvent(id: string, change: Partial<WebhookEntry>) {
  return (entries: LogEntry[]) =>
    entries.map((entry) =>
      entry.kind === 'webhook' && entry.eventId === id ? { ...entry, ...change } : entry,
    );
}

/** Corruptions of the sample log, with the one rule that each violates. */
const CORRUPTIONS: Record<string, Corruption> = {
  ...PRODUCT_CORRUPTIONS,
  'a log that ends early': ['log is complete', (entries) => entries.filter(({ kind }) => kind !== 'end')],
  'a process that ended by itself': [
    'process survives',
    (entries) =>
      entries.map((entry) => (entry.kind === 'end' ? { ...entry, exits: ['process 0: 1'] } : entry)),
  ],
  'a refund that was lost': [
    'refund is kept',
    changeBooks(({ payments }) => ({
      payments: payments.map((payment) => ({ ...payment, refundedMinor: 0 })),
      access: [],
    })),
  ],
  'a refund that nobody asked for': [
    'refund is kept',
    changeBooks(({ payments }) => ({
      payments: payments.map((payment) => ({ ...payment, refundedMinor: 900 })),
      access: [],
    })),
  ],
  'paid time that was lost': [
    'paid time is kept',
    changeBooks(({ access }) => ({ access: access.map((row) => ({ ...row, validUntil: T0 })) })),
  ],
  'time that stays after a refund': [
    'paid time is kept',
    changeBooks(({ access }) => ({ access: access.map((row) => ({ ...row, validUntil: null })) })),
  ],
  'an event of the provider that was lost': [
    'provider event counts once',
    changeBooks(({ events }) => ({ events: events.slice(1) })),
  ],
  'an event of the provider that counts twice': [
    'provider event counts once',
    changeBooks(({ events }) => ({ events: [...events, ...events] })),
  ],
  'an event that the provider never sent': [
    'provider event counts once',
    changeBooks(({ events }) => ({ events: [...events, 'paid:another'] })),
  ],
  'a response 500': ['no internal error', add(call('buy-plan', 'buyer-2', 1_700, { status: 500 }))],
  'a membership that was lost': [
    'acknowledged write is kept',
    add(
      call('provision', 'member-1', 2_950, {
        input: { externalOrderId: 'four' },
        output: {
          membershipId: 'membership-1',
          status: 'created',
          validFrom: iso(90 * MINUTE + 2_960),
          validUntil: null,
        },
      }),
      webhook('event-four', 'membership.created', 2_960, {
        membership: { id: 'membership-1', validFrom: iso(90 * MINUTE + 2_960), validUntil: null },
        externalOrderId: 'four',
      }),
    ),
  ],
  'an order that was forgotten': [
    'acknowledged write is kept',
    add(
      call('provision', 'member-1', 760, {
        input: { externalOrderId: 'two' },
        output: {
          membershipId: 'membership-1',
          status: 'idempotent_return',
          validFrom: iso(120),
          validUntil: iso(530),
        },
      }),
    ),
  ],
  'a window that moved by itself': [
    'acknowledged write is kept',
    add(
      call('provision', 'member-1', 760, {
        input: { externalOrderId: 'three' },
        output: {
          ...{ membershipId: 'membership-1', status: 'idempotent_return' },
          ...{ validFrom: iso(720), validUntil: iso(21 * MINUTE) },
        },
      }),
    ),
  ],
  'a membership with a new id': [
    'acknowledged write is kept',
    add(
      call('provision', 'member-1', 760, {
        input: { externalOrderId: 'three' },
        output: {
          ...{ membershipId: 'membership-2', status: 'idempotent_return' },
          ...{ validFrom: iso(720), validUntil: iso(20 * MINUTE) },
        },
      }),
    ),
  ],
  'access after its end': [
    'access follows the membership',
    changeCall(2_500, { output: { isActive: true, membershipId: 'membership-1' } }),
  ],
  'access after it was ended': [
    'access follows the membership',
    changeCall(600, { output: { isActive: true, membershipId: 'membership-1' } }),
  ],
  'no access inside the window': [
    'access follows the membership',
    changeCall(200, { output: { isActive: false, membershipId: null } }),
  ],
  'a list with an expired membership': [
    'access follows the membership',
    changeCall(2_600, { output: { memberships: [{ id: 'membership-1' }] } }),
  ],
  'a code that is honoured twice': [
    'code is honoured once',
    add(
      call('redeem', 'member-1', 900, {
        input: { code: 'c1' },
        status: 201,
        output: { access: 'x', refresh: 'y' },
      }),
    ),
  ],
  'a code that is honoured with a wrong verifier': [
    'code is honoured once',
    changeCall(1_440, { input: { code: 'c3', isVerified: false } }),
  ],
  'a code that is honoured after a minute': [
    'expired credential is rejected',
    changeCall(2_200, { status: 201, output: { access: 'x', refresh: 'y' } }),
  ],
  'a code that is rejected without a reason': [
    'valid credential is accepted',
    add(
      call('authorize', 'member-1', 1_500, { status: 302, output: { code: 'c4' } }),
      call('redeem', 'member-1', 1_560, { input: { code: 'c4' }, status: 400 }),
    ),
  ],
  'a refresh token that is honoured twice': [
    'refresh token is honoured once',
    changeCall(1_070, { status: 201, output: { access: 'x', refresh: 'y' } }),
  ],
  'a refresh token that is honoured after its revocation': [
    'revoked token is rejected',
    changeCall(1_310, { status: 201, output: { access: 'x', refresh: 'y' } }),
  ],
  'an access token that is honoured after its rotation': [
    'revoked token is rejected',
    changeCall(1_010, { status: 200 }),
  ],
  'an access token that is honoured after its revocation': [
    'revoked token is rejected',
    changeCall(1_250, { status: 200 }),
  ],
  'an access token that is honoured after a sign-out': [
    'revoked token is rejected',
    add(
      call('sign-out-apps', 'member-1', 1_500, { status: 303 }),
      call('userinfo', 'member-1', 1_560, { input: { access: 'a3' } }),
    ),
  ],
  'an access token that is honoured after an hour': [
    'expired credential is rejected',
    changeCall(2_900, { status: 200 }),
  ],
  'an access token that is rejected without a reason': [
    'valid credential is accepted',
    changeCall(1_130, { status: 401 }),
  ],
  'an event that was lost': ['event is delivered', withoutEvent('event-two')],
  'the event of an end that was lost': ['event is delivered', withoutEvent('event-end')],
  'a payment event that was lost': ['event is delivered', withoutEvent('event-paid')],
  'an event that no endpoint accepted': ['event is delivered', changeEvent('event-two', { answered: 500 })],
  'an event with two ids': [
    'event id is stable',
    (entries) => [
      ...entries,
      ...entries.flatMap((entry) =>
        entry.kind === 'webhook' && entry.eventId === 'event-two'
          ? [{ ...entry, eventId: 'other', body: entry.body.replace('event-two', 'other') }]
          : [],
      ),
    ],
  ],
  'an attempt with other contents': [
    'event id is stable',
    add(
      webhook('event-two', 'membership.updated', 330, {
        membership: { id: 'membership-1' },
        externalOrderId: 'two',
      }),
    ),
  ],
  'an event of no call': [
    'event has a cause',
    add(
      webhook('event-x', 'membership.updated', 400, {
        membership: { id: 'membership-1' },
        externalOrderId: 'x',
      }),
    ),
  ],
  'a delivery with a wrong signature': ['delivery is signed', changeEvent('event-two', { isSigned: false })],
  'a payment that was charged twice': [
    'payment is charged once',
    add(webhook('event-again', 'payment.success', 1_180, { externalId: 'buyer-1' })),
  ],
  'an order that nobody placed': [
    'payment is charged once',
    add({ kind: 'charge', at: T0 + 1_200, orderId: 'another' }),
  ],
  'an invite link before the payment': [
    'invite link follows the payment',
    changeCall(1_060, { status: 200 }),
  ],
  'a payment that was forgotten': ['invite link follows the payment', changeCall(1_200, { status: 404 })],
  'a buyer without access after the payment': [
    'invite link follows the payment',
    changeCall(1_200, { status: 401 }),
  ],
  'a signup that was forgotten': [
    'signup counts once',
    changeCall(1_600, { status: 201, output: { signedUp: true, slotsUsed: 1 } }),
  ],
  'a slot that nobody took': [
    'signup counts once',
    changeCall(1_500, { output: { signedUp: true, slotsUsed: 2 } }),
  ],
  'memory that grows': [
    'memory is flat',
    (entries) =>
      entries.map((entry) =>
        entry.kind === 'memory' ? { ...entry, heapUsed: entry.heapUsed + (entry.at - T0) * 1_000 } : entry,
      ),
  ],
};

describe('checker of a soak', () => {
  it('finds nothing in a faultless log', () => {
    const entries = sampleSoak();
    expect(checkSoak(entries).violations).toEqual([]);
    expect(memoryTrends(createHistory(entries))).toHaveLength(2);
    expect(parseLog(entries.map((entry) => JSON.stringify(entry)).join('\n'))).toEqual(entries);
  });

  it.for(Object.entries(CORRUPTIONS))('finds %s, and nothing else', ([, [rule, corrupt]]) => {
    expect(rulesOf(corrupt(sampleSoak()))).toEqual([rule]);
  });

  it('accepts both results of a write without a response', () => {
    const lost = call('provision', 'member-2', 100, { input: { externalOrderId: 'one' }, status: null });
    const read = (isActive: boolean) => [
      ...sampleSoak(),
      lost,
      call('check-messenger', 'member-2', 300, { output: { isActive, membershipId: isActive ? 'm' : null } }),
    ];
    expect(rulesOf(read(true))).toEqual([]);
    expect(rulesOf(read(false))).toEqual([]);
  });

  it('accepts every state that a write in flight allows, and no older one', () => {
    const created = call('provision', 'member-2', 100, {
      input: { externalOrderId: 'one' },
      output: { membershipId: 'm', status: 'created', validFrom: iso(120), validUntil: null },
    });
    const event = webhook('event-m', 'membership.created', 130, {
      membership: { id: 'm', validFrom: iso(120), validUntil: null },
      externalOrderId: 'one',
    });
    const readAt = (at: number) => [
      ...sampleSoak(),
      created,
      event,
      call('check-messenger', 'member-2', at, { output: { isActive: false, membershipId: null } }),
    ];
    expect(rulesOf(readAt(110))).toEqual([]);
    expect(rulesOf(readAt(160))).toEqual(['access follows the membership']);
  });

  it('names the seed-independent facts of a violation: the member, the times and the rows', () => {
    const [, corrupt] = CORRUPTIONS['access after its end'] ?? [];
    const [violation] = checkSoak(corrupt?.(sampleSoak()) ?? []).violations;
    expect(violation?.message).toMatch(
      /member-1 had access outside its window: .*three 2026-06-12T14:05:00\.720Z/,
    );
  });

  it('accepts that a buyer has no access yet after the clocks moved back', () => {
    const back: LogEntry = { kind: 'clock', from: T0 + 1_170, until: T0 + 1_190, aheadMs: -3_000 };
    const entries = changeCall(1_200, { status: 401 })([...sampleSoak(), back]);
    const { violations } = checkSoak(entries);
    expect(violations.filter(({ rule }) => rule === 'invite link follows the payment')).toEqual([]);
  });
});
