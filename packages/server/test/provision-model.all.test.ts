import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { callWithKey } from './api-key-requests.js';
import { postProvision } from './provision-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const DAY = 24 * 3600_000;

/** Buyer of the model: the known identifiers and the one membership in the community. */
interface Buyer {
  email: number | undefined;
  messenger: number | undefined;
  userId?: string;
  membership?: { id?: string; from: number; until: number; order: number };
}

/** Expected state of the service, written from the description, not from the code. */
interface Model {
  buyers: Buyer[];
  events: string[];
}

/** Service with a new community and unused email addresses for this run. */
interface Real {
  service: ServiceUnderTest;
  communityId: string;
  run: number;
}

interface Order {
  email: number | undefined;
  messenger: number | undefined;
  order: number;
  onOverlap: 'extend' | 'replace' | 'error';
  /** Days from now. */
  from: number | undefined;
  /** Days from now, or none for life. */
  until: number | undefined;
}

type Expected = { status: string; from: number; until: number } | 'conflict' | 'invalid';

type Command = fc.AsyncCommand<Model, Real>;

function provisionCommand(order: Order): Command {
  return {
    check: () => order.email !== undefined || order.messenger !== undefined,
    run: (model, real) => provisionBoth(order, model, real),
    toString: () => `provision(${JSON.stringify(order)})`,
  };
}

function waitCommand(days: number): Command {
  return {
    check: () => true,
    run: async (_, { service }) => service.clock.advance(days * DAY),
    toString: () => `wait(${days} days)`,
  };
}

function checkCommand(messenger: number): Command {
  return {
    check: () => true,
    run: (model, real) => checkBoth(messenger, model, real),
    toString: () => `check(messenger ${messenger})`,
  };
}

async function provisionBoth(order: Order, model: Model, real: Real): Promise<void> {
  const now = real.service.clock.now();
  const instant = (days: number | undefined) =>
    days === undefined ? undefined : new Date(now + days * DAY).toISOString();
  const answer = await postProvision(real.service, {
    communityId: real.communityId,
    externalOrderId: `order-${order.order}`,
    email: order.email === undefined ? undefined : `buyer-${order.email}-${real.run}@shop.example`,
    messengerUserId: order.messenger === undefined ? undefined : real.run * 10 + order.messenger,
    onOverlap: order.onOverlap,
    validFrom: instant(order.from),
    validUntil: instant(order.until),
  });

  const found =
    model.buyers.find(({ email }) => email !== undefined && email === order.email) ??
    model.buyers.find(({ messenger }) => messenger !== undefined && messenger === order.messenger);
  const buyer = found ?? { email: undefined, messenger: undefined };
  const expected = expectation(buyer, order, now);
  if (expected === 'conflict' || expected === 'invalid') {
    expect(answer.status, answer.text).toBe(expected === 'conflict' ? 409 : 400);
    return;
  }
  storeIdentifiers(model, buyer, order);
  if (found === undefined) model.buyers.push(buyer);
  if (expected.status !== 'idempotent_return') {
    model.events.push(expected.status === 'created' ? 'membership.created' : 'membership.updated');
    buyer.membership = {
      ...buyer.membership,
      from: expected.from,
      until: expected.until,
      order: order.order,
    };
  }
  expect(answer.body, answer.text).toEqual({
    success: true,
    data: {
      userId: buyer.userId ?? expect.any(String),
      membershipId: buyer.membership?.id ?? expect.any(String),
      validFrom: new Date(expected.from).toISOString(),
      validUntil: expected.until === Number.POSITIVE_INFINITY ? null : new Date(expected.until).toISOString(),
      status: expected.status,
    },
  });
  const { data } = answer.body as { data: { userId: string; membershipId: string } };
  buyer.userId = data.userId;
  if (buyer.membership !== undefined) buyer.membership.id = data.membershipId;
}

function expectation(buyer: Buyer, { order, onOverlap, ...days }: Order, now: number): Expected {
  const supplied = {
    from: days.from === undefined ? now : now + days.from * DAY,
    until: days.until === undefined ? Number.POSITIVE_INFINITY : now + days.until * DAY,
  };
  const stored = (status: string, window: { from: number; until: number }) =>
    window.until > window.from ? { status, ...window } : 'invalid';
  const { membership } = buyer;
  if (membership === undefined) return stored('created', { ...supplied, from: now });
  if (membership.order === order) {
    return { status: 'idempotent_return', from: membership.from, until: membership.until };
  }
  if (membership.until <= now) return stored('replaced', supplied);
  if (onOverlap === 'error') return 'conflict';
  if (onOverlap === 'replace') return stored('extended', supplied);
  return stored('extended', { from: membership.from, until: Math.max(membership.until, supplied.until) });
}

/** A buyer gets an identifier if no other buyer owns it and the buyer had none of that kind. */
function storeIdentifiers(model: Model, buyer: Buyer, { email, messenger }: Order): void {
  const isEmailFree = model.buyers.every((other) => other.email !== email);
  const isMessengerFree = model.buyers.every((other) => other.messenger !== messenger);
  if (isEmailFree) buyer.email ??= email;
  if (isMessengerFree) buyer.messenger ??= messenger;
}

async function checkBoth(
  messengerUserId: number,
  model: Model,
  { service, communityId, run }: Real,
): Promise<void> {
  const path = `/membership/check-messenger/${communityId}/${run * 10 + messengerUserId}`;
  const now = service.clock.now();
  const { membership } = model.buyers.find(({ messenger }) => messenger === messengerUserId) ?? {};
  const isActive = membership !== undefined && membership.from <= now && now < membership.until;
  expect((await callWithKey(service, { path })).body).toEqual({
    success: true,
    data: { isActive, membershipId: isActive ? membership.id : null },
  });
}

const few = fc.nat(2);
const commands = fc.commands(
  [
    fc
      .record({
        email: fc.option(few, { nil: undefined }),
        messenger: fc.option(few, { nil: undefined }),
        order: few,
        onOverlap: fc.constantFrom('extend', 'replace', 'error'),
        from: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
        until: fc.option(fc.integer({ min: -5, max: 20 }), { nil: undefined }),
      })
      .map(provisionCommand),
    fc.integer({ min: 1, max: 12 }).map(waitCommand),
    few.map(checkCommand),
  ],
  { size: 'max', maxCommands: 30 },
);

describe('provisioning, compared with a model of its description', () => {
  it('returns, stores and emits what the model predicts for orders in any sequence', {
    tags: [
      'provision.created',
      'provision.extend-keeps-later-end',
      'provision.extend-open-ended',
      'provision.replace-active',
      'provision.overlap-error',
      'provision.lapsed-replaced',
      'provision.idempotent-return',
      'provision.latest-order-id-only',
      'provision.same-order-other-buyer',
      'check-messenger.point-in-time',
    ],
    timeout: 120_000,
  }, async ({ service, db }) => {
    let runs = 0;
    const property = fc.asyncProperty(commands, async (sequence) => {
      runs += 1;
      const run = runs;
      const communityId = randomUUID();
      const ownerId = sandboxScenario.users.dana.id;
      await service.server.operator.createCommunity({ id: communityId, name: 'Club', ownerId });
      const model: Model = { buyers: [], events: [] };
      const real = { service, communityId, run: 100_000 + run };
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      const events = db.selectFrom('webhook_events').select('type').where('community_id', '=', communityId);
      expect((await events.execute()).map(({ type }) => type).toSorted()).toEqual(model.events.toSorted());
    });
    await fc.assert(property, fuzzRuns(20));
  });
});
