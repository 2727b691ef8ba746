import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { findCheckout, openCheckout } from '../src/features/checkout/checkouts.js';
import { createChargeLookUp } from '../src/features/checkout/look-up-charges.js';
import { payCheckout } from '../src/features/checkout/pay-checkout.js';
import { createRenewalWorker } from '../src/features/checkout/renew-subscriptions.js';
import { cancelSubscription, findMembership } from '../src/features/memberships/memberships.js';
import { deleteProduct } from '../src/features/products/product.queries.js';
import type { Logger } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { it } from './checkout-world.js';
import { type Charge, inlinePayments } from './inline-payments.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { community, users } = sandboxScenario;
const HOUR = 3600_000;
const LOST = new Error('The connection to the provider was lost.');
const silent: Logger = { info() {}, warn() {}, error() {} };

type PlanName = 'week' | 'month' | 'life';

/** Change during a charge. */
type Disturbance =
  | { kind: 'none' | 'decline' | 'cancel' | 'end' | 'grant' | 'delete-product' | 'other-process' }
  /** The provider charges the order, but its result is lost. Or the order is lost, and nothing is charged. */
  | { kind: 'lost-result' | 'lost-order' }
  | { kind: 'buy'; externalId: string; plan: PlanName };

type Step =
  | { kind: 'buy'; externalId: string; plan: PlanName; during: Disturbance[] }
  | { kind: 'buy-product'; during: Disturbance[] }
  | { kind: 'renew'; hours: number; isLookedUp: boolean; during: Disturbance[] };

/** One buyer, whose charges are disturbed. The payment provider charges each order once. */
class World {
  readonly paid = new Set<string>();
  readonly #service: ServiceUnderTest;
  readonly #db: Database;
  readonly #plans: Readonly<Record<PlanName, string>>;
  readonly #buyerId: string;
  readonly #productId: string;
  #during: Disturbance[] = [];

  constructor(
    service: ServiceUnderTest,
    db: Database,
    ids: { plans: Readonly<Record<PlanName, string>>; buyerId: string; productId: string },
  ) {
    this.#service = service;
    this.#db = db;
    this.#plans = ids.plans;
    this.#buyerId = ids.buyerId;
    this.#productId = ids.productId;
  }

  readonly #payments = inlinePayments({
    findCharge: async ({ orderId }) => ({ kind: this.paid.has(orderId) ? 'paid' : 'none' }),
    charge: async ({ orderId }) => {
      const disturbance = this.#during.shift() ?? { kind: 'none' };
      const isDeclined = disturbance.kind === 'decline' && !this.paid.has(orderId);
      if (!isDeclined && disturbance.kind !== 'lost-order') this.paid.add(orderId);
      await this.#disturb(disturbance);
      if (disturbance.kind === 'lost-result' || disturbance.kind === 'lost-order') throw LOST;
      const declined: Charge = { kind: 'declined', reason: 'card_declined' };
      return isDeclined ? declined : { kind: 'paid' };
    },
  });

  async run(step: Step): Promise<void> {
    this.#during = [...step.during];
    if (step.kind === 'buy') await this.#buy(step);
    if (step.kind === 'buy-product') await this.#pay({ kind: 'product', productId: this.#productId }, null);
    if (step.kind === 'renew') {
      this.#service.clock.advance(step.hours * HOUR);
      await this.#renew();
      if (step.isLookedUp) await this.#lookUp();
    }
    this.#during = [];
  }

  /** Charges all renewals without a stored result again, and looks the orders of checkouts up. */
  async settle(): Promise<void> {
    this.#service.clock.advance(HOUR);
    while ((await this.#lookUp()) + (await this.#renew()) > 0);
  }

  async #lookUp(): Promise<number> {
    const needs = { db: this.#db, clock: this.#service.clock, logger: silent, payments: this.#payments };
    return await createChargeLookUp(needs).runOnce(new AbortController().signal);
  }

  async #renew(): Promise<number> {
    const needs = { db: this.#db, clock: this.#service.clock, logger: silent, payments: this.#payments };
    return await createRenewalWorker(needs).runOnce(new AbortController().signal);
  }

  async #buy({ externalId, plan }: { externalId: string; plan: PlanName }): Promise<void> {
    const subject = { kind: 'plan', planId: this.#plans[plan], communityId: community.id } as const;
    await this.#pay(subject, `${this.#buyerId} ${externalId}`);
  }

  async #pay(
    subject: Parameters<typeof openCheckout>[1]['subject'],
    externalId: string | null,
  ): Promise<void> {
    const [db, { clock }] = [this.#db, this.#service];
    const [caller, buyer] = [
      externalId === null ? null : { id: users.dana.id, externalId },
      { id: this.#buyerId },
    ];
    const urls = { successUrl: 'https://shop.example/', cancelUrl: 'https://shop.example/' };
    const isSold = await db
      .selectFrom('products')
      .select('id')
      .where('id', '=', this.#productId)
      .executeTakeFirst();
    if (subject.kind === 'product' && isSold === undefined) return;
    const secret = await openCheckout(db, { subject, buyer, caller, ...urls, utmSource: null }, clock.now());
    const checkout = await findCheckout(db, secret);
    if (checkout?.offer === undefined) throw new Error('The checkout has no offer.');
    const payment = { checkout: { ...checkout, offer: checkout.offer }, method: 'card' };
    const services = { db, clock, logger: silent, payments: this.#payments };
    await payCheckout(services, { ...payment, url: this.#service.baseUrl }).catch((error) => {
      if (error.cause !== LOST) throw error;
    });
  }

  async #disturb(disturbance: Disturbance): Promise<void> {
    const { operator } = this.#service.server;
    const db = this.#db;
    const target = { userId: this.#buyerId, communityId: community.id };
    const membership = await findMembership(db, this.#buyerId, target);
    switch (disturbance.kind) {
      case 'buy':
        return await this.#buy(disturbance);
      case 'other-process':
        // The lease of the charge that is disturbed ends.
        this.#service.clock.advance(60_000);
        await this.#lookUp();
        return void (await this.#renew());
      case 'cancel':
        return await inTransaction(db, async (transaction) => {
          const current = await findMembership(transaction, this.#buyerId, target);
          if (current !== undefined)
            await cancelSubscription(transaction, current, this.#service.clock.now());
        });
      case 'end':
        if (membership !== undefined) await operator.end('memberships', membership.id);
        return;
      case 'grant':
        return void (await operator.grantMembership({ ...target, productType: 'community' }));
      case 'delete-product':
        return void (await deleteProduct(db, { productId: this.#productId, userId: users.dana.id }));
      default:
    }
  }
}

const plan = fc.constantFrom<PlanName>('week', 'month', 'month', 'life');
const externalId = fc.constantFrom('a', 'b');
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.constantFrom(
    ...(['none', 'decline', 'cancel', 'end', 'grant', 'delete-product'] as const).map((kind) => ({ kind })),
    ...(['other-process', 'lost-result', 'lost-order'] as const).map((kind) => ({ kind })),
  ),
  fc.record({ kind: fc.constant('buy' as const), externalId, plan }),
);
const during = fc.array(disturbance, { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('buy' as const), externalId, plan, during }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('buy-product' as const), during }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('renew' as const),
      hours: fc.constantFrom(1, 24, 24 * 7, 24 * 30),
      isLookedUp: fc.boolean(),
      during,
    }),
  },
);

it('stores each paid order of the provider exactly once, whatever changes during the charges', async ({
  service,
  db,
}) => {
  const { operator } = service.server;
  const create = async (name: PlanName, periodDays: number | null, renews: boolean) => {
    const plan = { communityId: community.id, name, priceMinor: 500, periodDays, renews };
    return (await operator.createPricingPlan(plan)).id;
  };
  const plans = {
    week: await create('week', 7, false),
    month: await create('month', 30, true),
    life: await create('life', null, false),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8, size: 'max' }), async (steps) => {
      // Ends the subscriptions of earlier runs.
      await db.updateTable('memberships').set({ subscription_id: null }).execute();
      const [buyerId, productId] = [randomUUID(), randomUUID()];
      await operator.createUser({ id: buyerId, email: `${buyerId}@example.com` });
      const product = { id: productId, ownerId: users.dana.id, name: 'Guide', slug: productId };
      await operator.createProduct({ ...product, priceMinor: 700 });
      const world = new World(service, db, { plans, buyerId, productId });
      for (const each of steps) await world.run(each);
      await world.settle();
      const stored = await db
        .selectFrom('payments')
        .select('order_id')
        .where('user_id', '=', buyerId)
        .where('status', '=', 'succeeded')
        .execute();
      expect(stored.map(({ order_id }) => order_id).sort()).toEqual([...world.paid].sort());
      const charges = await db.selectFrom('charges').select('order_id').execute();
      expect(charges).toEqual([]);
    }),
    fuzzRuns(30),
  );
}, 240_000);
