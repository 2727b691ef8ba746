import type { Rule } from '../../soak/checker/violation.js';
import type { BooksEntry, CallEntry, LogEntry, Operation, WebhookEntry } from '../../soak/log/log-entries.js';
import { SEED } from '../../soak/world/seed.js';

/** Time at which the sample log starts. */
export const T0 = Date.parse('2026-06-12T14:05:00.000Z');
const MINUTE = 60_000;

/** Returns the ISO-8601 text of a time after the start, in milliseconds. */
export const iso = (ms: number) => new Date(T0 + ms).toISOString();

/** The one rule that a corruption violates, and the change of a log. */
export type Corruption = [Rule, (entries: LogEntry[]) => LogEntry[]];

/** Returns a change of the call that was sent at a time after the start. */
export function changeCall(at: number, change: Partial<CallEntry>) {
  return (entries: LogEntry[]): LogEntry[] =>
    entries.map((entry) =>
      entry.kind === 'call' && entry.sent === T0 + at ? { ...entry, ...change } : entry,
    );
}

/** Returns a change that adds entries. */
export const add =
  (...more: LogEntry[]) =>
  (entries: LogEntry[]): LogEntry[] => [...entries, ...more];

/** Returns a change that removes the deliveries of an event. */
export const withoutEvent =
  (id: string) =>
  (entries: LogEntry[]): LogEntry[] =>
    entries.filter((entry) => entry.kind !== 'webhook' || entry.eventId !== id);

type CallFields = Pick<CallEntry, 'input' | 'output' | 'status'>;

/** Creates a call that takes 50 ms. */
export function call(
  op: Operation,
  subject: string,
  at: number,
  fields: Partial<CallFields> = {},
): CallEntry {
  const { input = {}, status = 200, output } = fields;
  return {
    ...{ kind: 'call', op, subject, input, status, sent: T0 + at, done: T0 + at + 50 },
    ...(output && { output }),
  };
}

/** Creates an accepted delivery of an event. */
export function webhook(id: string, type: string, at: number, data: object): WebhookEntry {
  return {
    ...{ kind: 'webhook', receiver: 'steady', at: T0 + at, eventId: id, eventType: type, isSigned: true },
    ...{ body: JSON.stringify({ id, type, createdAt: iso(at), data }), answered: 204 },
  };
}

const MEMBER = 'member-1';
const ID = 'membership-1';

interface SampleProvisioning {
  at: number;
  order: string;
  status: string;
  from: number;
  until: number | null;
  onOverlap?: string;
}

/** A provisioning with its event. */
function provision({ at, order, status, from, until, onOverlap }: SampleProvisioning): LogEntry[] {
  const validUntil = until === null ? null : iso(until);
  const window = { validFrom: iso(from), validUntil };
  const type = status === 'created' ? 'membership.created' : 'membership.updated';
  return [
    call('provision', MEMBER, at, {
      input: {
        externalOrderId: order,
        ...(validUntil !== null && { validUntil }),
        ...(onOverlap !== undefined && { onOverlap }),
      },
      output: { membershipId: ID, userId: 'user-1', status, ...window },
    }),
    webhook(`event-${order}`, type, at + 20, { membership: { id: ID, ...window }, externalOrderId: order }),
  ];
}

const messenger = (at: number, isActive: boolean) =>
  call('check-messenger', MEMBER, at, { output: { isActive, membershipId: isActive ? ID : null } });

const userinfo = (at: number, access: string, status = 200) =>
  call('userinfo', MEMBER, at, { input: { access }, status });

const rotation = (at: number, refresh: string, status: number, pair?: object) =>
  call('refresh', MEMBER, at, { input: { refresh }, status, ...(pair && { output: { ...pair } }) });

/** A log of a run that violates no rule. The clocks move 10 minutes forward between 2 000 and 2 100. */
export function sampleSoak(): LogEntry[] {
  return [
    { kind: 'start', at: T0, seed: 1, engine: 'sqlite', receivers: ['steady'] },
    ...provision({ at: 100, order: 'one', status: 'created', from: 120, until: 30 * MINUTE }),
    messenger(200, true),
    ...provision({ at: 300, order: 'two', status: 'extended', from: 120, until: null }),
    call('end-now', MEMBER, 500, { input: { membershipId: ID, isForLife: true }, status: 303 }),
    webhook('event-end', 'membership.updated', 530, {
      membership: { id: ID, validFrom: iso(120), validUntil: iso(530) },
      externalOrderId: 'two',
    }),
    messenger(600, false),
    ...provision({ at: 700, order: 'three', status: 'replaced', from: 720, until: 20 * MINUTE }),
    ...signIn(),
    ...purchase(),
    ...productPurchase(),
    ...providerEvents(),
    call('drop-signup', 'grace', 1_500, { status: 201, output: { signedUp: true, slotsUsed: 1 } }),
    call('drop-signup', 'grace', 1_600, { status: 409, output: { errorCode: 'already_exists' } }),
    { kind: 'clock', from: T0 + 2_000, until: T0 + 2_100, aheadMs: 10 * MINUTE },
    call('redeem', MEMBER, 2_200, { input: { code: 'c2' }, status: 400, output: { error: 'invalid_grant' } }),
    { kind: 'clock', from: T0 + 2_300, until: T0 + 2_400, aheadMs: 40 * MINUTE },
    messenger(2_500, false),
    call('memberships', MEMBER, 2_600, { input: { access: 'a3' }, output: { memberships: [] } }),
    { kind: 'clock', from: T0 + 2_700, until: T0 + 2_800, aheadMs: 90 * MINUTE },
    userinfo(2_900, 'a3', 401),
    ...Array.from(
      { length: 40 },
      (_, index): LogEntry => ({
        ...{ kind: 'memory', at: T0 + index * 1_000, pid: 7 },
        ...{ rss: 120_000_000 + (index % 3) * 100_000, heapUsed: 40_000_000 + (index % 5) * 50_000 },
      }),
    ),
    BOOKS,
    { kind: 'end', at: T0 + 60_000, logged: {}, exits: [] },
  ];
}

function signIn(): LogEntry[] {
  const authorize = (at: number, code: string) =>
    call('authorize', MEMBER, at, { status: 302, output: { code } });
  return [
    authorize(800, 'c1'),
    call('redeem', MEMBER, 850, {
      input: { code: 'c1' },
      status: 201,
      output: { access: 'a1', refresh: 'r1' },
    }),
    userinfo(900, 'a1'),
    rotation(950, 'r1', 201, { access: 'a2', refresh: 'r2' }),
    userinfo(1_010, 'a1', 401),
    rotation(1_070, 'r1', 400),
    userinfo(1_130, 'a2'),
    call('revoke', MEMBER, 1_190, { input: { token: 'r2', hint: 'refresh_token' } }),
    userinfo(1_250, 'a2', 401),
    rotation(1_310, 'r2', 400),
    authorize(1_370, 'c2'),
    authorize(1_430, 'c3'),
    call('redeem', MEMBER, 1_440, {
      input: { code: 'c3' },
      status: 201,
      output: { access: 'a3', refresh: 'r3' },
    }),
  ];
}

function purchase(): LogEntry[] {
  const invite = (at: number, status: number) => call('invite-link', 'buyer-1', at, { status });
  return [
    call('buy-plan', 'buyer-1', 1_000, { status: 201 }),
    invite(1_060, 404),
    call('pay', 'buyer-1', 1_120, {
      input: { externalId: 'buyer-1', method: 'pays' },
      status: 303,
      output: { result: 'paid' },
    }),
    { kind: 'charge', at: T0 + 1_130, orderId: 'order-of-plan' },
    webhook('event-paid', 'payment.success', 1_150, { externalId: 'buyer-1' }),
    invite(1_200, 200),
  ];
}

/** Event of the payment provider, which reports it twice. */
const providerEvent = (at: number, id: string, orderId: string) =>
  [at, at + 5].map((sent) =>
    call('provider-event', orderId, sent, { input: { id, event: id.split(':')[0], amountMinor: 900 } }),
  );

function providerEvents(): LogEntry[] {
  return [
    ...providerEvent(1_210, 'paid:order-of-plan', 'order-of-plan'),
    ...providerEvent(1_220, 'refunded:order-refunded', 'order-refunded'),
  ];
}

const BOOKS: BooksEntry = {
  kind: 'books',
  at: T0 + 59_000,
  payments: [
    { orderId: 'order-of-plan', externalId: 'buyer-1', isPaid: true, refundedMinor: 0 },
    { orderId: 'order-refunded', externalId: 'buyer-3', isPaid: true, refundedMinor: 900 },
  ],
  events: ['paid:order-of-plan', 'refunded:order-refunded'],
  access: [
    { orderId: 'order-of-plan', validUntil: null },
    { orderId: 'order-refunded', validUntil: T0 + 1_220 },
  ],
};

/** Returns a change of the books. */
export function changeBooks(change: (books: BooksEntry) => Partial<BooksEntry>) {
  return (entries: LogEntry[]): LogEntry[] =>
    entries.map((entry) => (entry.kind === 'books' ? { ...entry, ...change(entry) } : entry));
}

export const SHOPPER_EMAIL = 'shopper-1@soak.example';
const PRODUCT_MEMBERSHIP = 'membership-of-product';

/** Returns the event of the shopper's purchase, with changes. */
export function purchaseEvent(at: number, { id = 'event-bought', ...change }: Record<string, unknown> = {}) {
  return webhook(String(id), 'digital.product.purchase', at, {
    product: { id: SEED.product.id },
    membership: productMembership(),
    user: { sub: 'user-2', email: SHOPPER_EMAIL },
    amount: SEED.product.priceMinor,
    currency: SEED.product.currency,
    ...change,
  });
}

/** Returns the membership of the product, with changes. */
export function productMembership(change: object = {}): object {
  const window = { validFrom: iso(1_850), validUntil: null };
  return { id: PRODUCT_MEMBERSHIP, productType: 'digital_product', isActive: true, ...window, ...change };
}

function productPurchase(): LogEntry[] {
  const page = (at: number, access: string) => productCall('product-page', at, { output: { access } });
  return [
    page(1_710, 'none'),
    productCall('open-product', 1_770, { status: 303 }),
    productCall('pay-product', 1_780, {
      input: { method: 'declines' },
      status: 303,
      output: { result: 'declined' },
    }),
    productCall('pay-product', 1_840, {
      input: { method: 'pays' },
      status: 303,
      output: { result: 'paid' },
    }),
    { kind: 'charge', at: T0 + 1_850, orderId: 'order-of-product' },
    { kind: 'charge', at: T0 + 1_855, orderId: 'order-of-product' },
    webhook('event-product', 'membership.created', 1_860, {
      membership: productMembership(),
      productId: SEED.product.id,
      user: { sub: 'user-2', email: SHOPPER_EMAIL },
    }),
    purchaseEvent(1_870),
    page(1_900, 'owned'),
    call('memberships', 'shopper-1', 1_960, {
      input: { access: 's1' },
      output: { memberships: [productMembership()] },
    }),
  ];
}

/** Creates a call of the shopper. */
export function productCall(op: Operation, at: number, fields: Partial<CallFields>): CallEntry {
  return call(op, 'shopper-1', at, { ...fields, input: { email: SHOPPER_EMAIL, ...fields.input } });
}
