import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import type { Database } from '../src/platform/database/open-database.js';
import { locationOf } from './browser.js';
import { checkoutFields, it, METHODS, openCheckout } from './checkout-world.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { community } = sandboxScenario;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;

/** Plans of the model: days (none for life), renewal and kind of payment. */
const PLANS = {
  week: { days: 7, renews: false, good: METHODS.card, bad: METHODS.declined },
  month: { days: 30, renews: true, good: METHODS.card, bad: METHODS.poor },
  monthOnBadCard: { days: 30, renews: true, good: METHODS.failsLater, bad: METHODS.declined },
  life: { days: Number.POSITIVE_INFINITY, renews: false, good: METHODS.transfer, bad: METHODS.noTransfer },
} as const;
type PlanName = keyof typeof PLANS;

/** Latest request of a caller under an external id, and its payment state. */
interface Reservation {
  plan: PlanName;
  buyer: number;
  isPaid: boolean;
  /** Time of the latest request. */
  openedAt: number;
}

/** Checkout URL that was returned, and the page as its visitor last saw it. */
interface Link {
  reservation: Reservation;
  openedAt: number;
  seen?: Pick<Reservation, 'plan' | 'buyer'>;
}

/** Nobody is signed in, so every payment goes after what is planned, and none touches a subscription. */
interface Member {
  /** End of the plans for days. */
  until: number;
  hasLife: boolean;
  /** Plan that renews the membership, and the end of the last period that it paid. */
  renews: PlanName | undefined;
  renewsAt: number;
}

/** Expected state of the service, written from its description, not from its code. */
interface Model {
  reservations: Map<string, Reservation>;
  links: Link[];
  members: Map<number, Member>;
  succeeded: number;
  failed: number;
}

interface Real {
  service: ServiceUnderTest;
  db: Database;
  planIds: Record<PlanName, string>;
  run: number;
  paths: string[];
  fields: (Record<string, string> | undefined)[];
}

interface Command {
  /** True if the command is possible in the current state. */
  check(model: Model): boolean;
  run(model: Model, real: Real): Promise<void>;
  toString(): string;
}

const address = ({ run }: Real, buyer: number) => `buyer${buyer}@run${run}.example`;

/** Opens a checkout under a new or a known external id. */
function open(externalId: string, plan: PlanName, buyer: number): Command {
  return {
    check: () => true,
    toString: () => `open(${externalId}, ${plan}, buyer ${buyer})`,
    async run(model, real) {
      const changes = {
        pricingPlanId: real.planIds[plan],
        externalId: `${real.run} ${externalId}`,
        email: address(real, buyer),
      };
      real.paths.push(await openCheckout(real.service, changes));
      real.fields.push(undefined);
      const before = model.reservations.get(externalId);
      const openedAt = real.service.clock.now();
      const reservation =
        before === undefined || before.isPaid ? { plan, buyer, isPaid: false, openedAt } : before;
      Object.assign(reservation, { plan, buyer, openedAt });
      model.reservations.set(externalId, reservation);
      model.links.push({ reservation, openedAt });
    },
  };
}

function isOpen({ reservation, openedAt }: Link, now: number): boolean {
  return !reservation.isPaid && now < openedAt + DAY;
}

/** One month after its expiry, an unpaid checkout URL and its reservation are deleted. */
function isPurged({ openedAt }: Link, now: number): boolean {
  return now >= openedAt + 31 * DAY;
}

/** Opens the page of an earlier checkout and checks its offers or its end. */
function look(back: number): Command {
  return {
    check: ({ links }) => back < links.length,
    toString: () => `look(${back} back)`,
    async run(model, real) {
      const index = model.links.length - 1 - back;
      const link = model.links[index] as Link;
      const { service } = real;
      const kind = link.reservation.plan === 'life' ? 'crypto' : 'card';
      const path = (real.paths[index] ?? '').replace(/^\/checkout\/\w+/, `/checkout/${kind}`);
      const answer = await service.browser().get(path);
      const now = service.clock.now();
      const paidOrGone = link.reservation.isPaid && !isPurged(link, now) ? 200 : 404;
      expect(answer.status).toBe(isOpen(link, now) ? 200 : paidOrGone);
      if (!isOpen(link, now)) return;
      real.paths[index] = path;
      real.fields[index] = await checkoutFields(service.browser(), path);
      link.seen = { plan: link.reservation.plan, buyer: link.reservation.buyer };
    },
  };
}

/** Submits the form of the last opened page, however old. The page may be out of date by then. */
function pay(back: number, isGood: boolean): Command {
  return {
    check: ({ links }) => links.at(-1 - back)?.seen !== undefined,
    toString: () => `pay(${back} back, ${isGood ? 'well' : 'badly'})`,
    async run(model, real) {
      const index = model.links.length - 1 - back;
      const link = model.links[index] as Link & { seen: Pick<Reservation, 'plan' | 'buyer'> };
      const { service } = real;
      const { reservation, seen } = link;
      const method = PLANS[seen.plan][isGood ? 'good' : 'bad'];
      const fields = { ...real.fields[index], method };
      const answer = await service.browser().post(`${real.paths[index]}/pay`, fields);
      const now = service.clock.now();
      if (isPurged(link, now)) return expect(answer.status).toBe(404);
      const hasSeenTerms = seen.plan === reservation.plan && seen.buyer === reservation.buyer;
      // Only a browser that saw what was paid gets the receipt.
      if (reservation.isPaid) {
        return expect(locationOf(answer)).toMatch(hasSeenTerms ? /\?paid$/ : /\/checkout\/\w+\/[\w-]+$/);
      }
      if (!isOpen(link, now)) return expect(answer.status).toBe(404);
      if (!hasSeenTerms) {
        return expect(locationOf(answer)).toMatch(/\?changed$/);
      }
      // Nothing comes after a plan for life.
      if (model.members.get(seen.buyer)?.hasLife === true) return expect(answer.status).toBe(409);
      if (!isGood) {
        model.failed += 1;
        return expect(locationOf(answer)).toMatch(/\?declined=/);
      }
      expect(locationOf(answer)).toMatch(/\?paid$/);
      reservation.isPaid = true;
      model.succeeded += 1;
      grant(model, seen, now);
    },
  };
}

function grant(model: Model, { plan, buyer }: Pick<Reservation, 'plan' | 'buyer'>, now: number): void {
  const { days, renews } = PLANS[plan];
  const before = model.members.get(buyer) ?? { until: now, hasLife: false, renews: undefined, renewsAt: 0 };
  if (days === Number.POSITIVE_INFINITY) {
    model.members.set(buyer, { ...before, hasLife: true });
    return;
  }
  const until = Math.max(before.until, now) + days * DAY;
  const starts = renews && before.renews === undefined ? { renews: plan, renewsAt: until } : {};
  model.members.set(buyer, { ...before, until, ...starts });
}

/** Advances the clock and runs the background work. */
function wait(hours: number): Command {
  return {
    check: () => true,
    toString: () => `wait(${hours} h)`,
    async run(model, { service }) {
      service.clock.advance(hours * HOUR);
      await service.server.runBackgroundWork();
      const now = service.clock.now();
      for (const member of model.members.values()) {
        while (member.renews !== undefined && member.renewsAt - HOUR <= now) {
          if (member.renews === 'monthOnBadCard') {
            model.failed += 1;
            member.renews = undefined;
          } else {
            model.succeeded += 1;
            const start = Math.max(member.renewsAt, now);
            member.until = Math.max(member.until, start) + 30 * DAY;
            member.renewsAt = start + 30 * DAY;
          }
        }
      }
    },
  };
}

/** Asserts that the stored state equals the model. */
function compare(): Command {
  return {
    check: () => true,
    toString: () => 'compare',
    async run(model, real) {
      const { db, service } = real;
      const rows = await db
        .selectFrom('memberships')
        .innerJoin('community_emails as claim', 'claim.user_id', 'memberships.user_id')
        .select(['claim.email', 'memberships.valid_from', 'memberships.valid_until'])
        .where('claim.email', 'like', `%@run${real.run}.example`)
        .execute();
      const stored = rows.map(({ email, valid_until }) => [email, valid_until ?? Number.POSITIVE_INFINITY]);
      const expected = [...model.members].map(([buyer, { until, hasLife }]) => [
        address(real, buyer),
        hasLife ? Number.POSITIVE_INFINITY : until,
      ]);
      expect(new Map(stored as [string, number][])).toEqual(new Map(expected as [string, number][]));
      expect(rows.every(({ valid_from }) => valid_from <= service.clock.now())).toBe(true);

      const payments = await db
        .selectFrom('payments')
        .innerJoin('community_emails as claim', 'claim.user_id', 'payments.user_id')
        .select('payments.status')
        .where('claim.email', 'like', `%@run${real.run}.example`)
        .execute();
      const count = (status: string) => payments.filter((payment) => payment.status === status).length;
      expect([count('succeeded'), count('failed')]).toEqual([model.succeeded, model.failed]);
    },
  };
}

/** Prefers the newest URL, with some older ones. */
const back = fc.constantFrom(0, 0, 0, 1, 2, 4);
const anyPlan = fc.constantFrom(...(Object.keys(PLANS) as PlanName[]));

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'b'), anyPlan, fc.constantFrom(0, 0, 1))
        .map(([externalId, plan, buyer]) => [open(externalId, plan, buyer)]),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(anyPlan, fc.constantFrom(0, 0, 1))
        .map(([plan, buyer]) => [open('c', plan, buyer), look(0), pay(0, true), compare()]),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anyPlan, anyPlan, fc.constantFrom(0, 1))
        .map(([first, second, buyer]) => [
          open('a', first, 0),
          look(0),
          open('a', second, buyer),
          pay(1, true),
        ]),
    },
    // Two checkouts of one plan are open together, and both are paid.
    {
      weight: 2,
      arbitrary: anyPlan.map((plan) => [
        open('a', plan, 0),
        look(0),
        wait(1),
        open('b', plan, 0),
        look(0),
        pay(0, true),
        pay(1, true),
        look(1),
      ]),
    },
    // A visit is usually followed by a payment, at once or after another command.
    { weight: 4, arbitrary: back.map((at) => [look(at), pay(at, true), compare()]) },
    { weight: 3, arbitrary: back.map((at) => [look(at)]) },
    { weight: 3, arbitrary: fc.tuple(back, fc.boolean()).map(([at, isGood]) => [pay(at, isGood)]) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(1, 1, 23, 24 * 8, 24 * 30 - 2, 24 * 31, 24 * 95)
        .map((hours) => [wait(hours), compare()]),
    },
  ),
  { minLength: 8, maxLength: 18, size: 'max' },
);

describe('checkout', () => {
  it('matches its model for commands of callers, buyers and time in any order', {
    tags: ['buy-plan.reservation', 'webhook.payment-success'],
    timeout: 240_000,
  }, async ({ service, db }) => {
    const planIds = Object.fromEntries(
      await Promise.all(
        Object.entries(PLANS).map(async ([name, { days, renews }]) => {
          const { id } = await service.server.operator.createPricingPlan({
            ...{ communityId: community.id, name, priceMinor: 500, renews },
            periodDays: days === Number.POSITIVE_INFINITY ? null : days,
            provider: name === 'life' ? 'crypto' : 'card',
          });
          return [name, id];
        }),
      ),
    ) as Record<PlanName, string>;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        run += 1;
        // Ends the subscriptions of earlier runs.
        await db.updateTable('memberships').set({ subscription_id: null }).execute();
        const model: Model = {
          ...{ reservations: new Map(), links: [], members: new Map() },
          ...{ succeeded: 0, failed: 0 },
        };
        const real: Real = { service, db, planIds, run, paths: [], fields: [] };
        for (const command of [...sequence.flat(), compare()]) {
          if (command.check(model)) await command.run(model, real);
        }
      }),
      fuzzRuns(10),
    );
  });
});
