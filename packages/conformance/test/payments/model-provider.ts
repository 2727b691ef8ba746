import { createHmac, randomUUID } from 'node:crypto';
import type { BuyerAct, PaymentDriver, ProviderPage, ProviderWebhook } from '@latchkey/conformance/payments';

/** Mistakes that a provider's author could make. Each one is planted alone. */
export const FAULTS = [
  ...[
    'charges twice',
    'new page each start',
    'page of an earlier kind',
    'restart charges',
    'page without https',
    'no reference',
    'unknown kind',
  ],
  ...['amounts in cents', 'declined for good', 'declined without reason', 'one reference for all'],
  ...[
    'stays on the page',
    'cancel leads nowhere',
    'charges on failed action',
    'charges before the action',
    'never expires',
  ],
  ...['no paid event', 'event with another reference', 'find pays', 'find needs a reference'],
  ...['finds everything', 'find invents a payment', 'find says paid early', 'find has another amount'],
  ...[
    'accepts any signature',
    'signature of the id only',
    'signature of digits only',
    'throws another error',
    'new id each time',
  ],
  ...['one id for all', 'no mode', 'seconds', 'parses before it verifies'],
  ...[
    'refund without key',
    'refund has no limit',
    'refunds strangers',
    'refund reports the part',
    'find forgets refunds',
  ],
  ...['no dispute events', 'lost is opened', 'won is lost', 'find forgets disputes'],
  ...['renewal charged again', 'renewal always pays', 'renewal has no payment', 'no subscription'],
  ...[
    'one renewal id',
    'renewal of another price',
    'failed renewals pay',
    'never ends',
    'renews after the end',
  ],
  ...[
    'down means declined',
    'down loses the key',
    'down finds nothing',
    'down renews nothing',
    'cancel throws the second time',
  ],
] as const;

export type PlantedFault = (typeof FAULTS)[number];

type Driven = PaymentDriver['provider'];
type Start = Parameters<Driven['start']>[0];
type Event = Awaited<ReturnType<Driven['readEvents']>>[number];
type Renewal = Parameters<NonNullable<Driven['renew']>>[0];

interface Payment {
  readonly orderId: string;
  readonly reference: string;
  readonly start: Pick<Start, 'amountMinor' | 'currency'> & Partial<Start>;
  state: 'open' | 'paid' | 'declined' | 'expired';
  refunds: Map<string, number>;
  dispute: 'open' | 'won' | 'lost' | undefined;
  periods: number;
  hasEnded: boolean;
}

/**
 * A payment provider in memory, with a page for each payment, that keeps every promise of the interface unless a fault is planted. It is the
 * smallest one that can fail each case.
 */
export function modelProvider({
  fault,
  renewals = 'provider',
}: {
  fault?: PlantedFault | undefined;
  renewals?: 'server' | 'provider';
} = {}): PaymentDriver {
  const has = (name: PlantedFault) => fault === name;
  const payments: Payment[] = [];
  const charges = new Map<string, { amountMinor: number; currency: string }[]>();
  const secret = randomUUID();
  let sent: ProviderWebhook[] = [];
  let isDown = false;
  let last = 0;

  const sign = (body: string) => {
    const event = has('signature of the id only') ? body.slice(0, 30) : body;
    return createHmac('sha256', secret)
      .update(has('signature of digits only') ? event.trim() : event)
      .digest('hex');
  };
  const say = ({ orderId, reference }: Pick<Payment, 'orderId' | 'reference'>, event: object) => {
    last += 1;
    const createdAt = has('seconds') ? Math.trunc(Date.now() / 1000) : Date.now();
    const id = has('one id for all') ? 'evt' : `evt_${last}_${randomUUID()}`;
    const mode = has('no mode') ? undefined : 'test';
    const body = JSON.stringify({ id, orderId, reference, mode, createdAt, ...event });
    const headers = { 'content-type': 'application/json', 'x-signature': sign(body) };
    sent.push({ headers, body: new TextEncoder().encode(body) });
  };
  const charge = (orderId: string, { amountMinor, currency }: { amountMinor: number; currency: string }) => {
    const factor = has('amounts in cents') && currency !== 'EUR' ? 100 : 1;
    const made = { amountMinor: amountMinor * factor, currency };
    const before = charges.get(orderId) ?? [];
    charges.set(orderId, [...before, made, ...(has('charges twice') ? [made] : [])]);
  };
  const guard = () => {
    if (isDown && !has('down means declined')) throw new Error('The provider is down.');
  };
  const newest = (orderId: string) => payments.findLast((payment) => payment.orderId === orderId);
  const byReference = (reference: string) => payments.find((payment) => payment.reference === reference);
  const open = (start: Payment['start'] & { orderId: string }): Payment => {
    const reference = has('one reference for all')
      ? 'pay_1'
      : has('no reference')
        ? ''
        : `pay_${randomUUID()}`;
    const payment: Payment = {
      ...{ orderId: start.orderId, reference, start, state: 'open', refunds: new Map(), dispute: undefined },
      ...{ periods: 0, hasEnded: false },
    };
    payments.push(payment);
    return payment;
  };
  const pay = (payment: Payment) => {
    payment.state = 'paid';
    charge(payment.orderId, payment.start);
    const reference = has('event with another reference') ? `${payment.reference}_event` : payment.reference;
    const { amountMinor, currency } = payment.start;
    const { orderId } = payment;
    if (!has('no paid event')) say({ orderId, reference }, { kind: 'paid', amountMinor, currency });
  };
  const refunded = ({ refunds }: Payment) => [...refunds.values()].reduce((sum, part) => sum + part, 0);
  const paidResult = (payment: Payment) => ({
    kind: 'paid' as const,
    reference: payment.reference,
    ...(payment.start.renews != null &&
      !has('no subscription') && { subscription: `sub_${payment.reference}` }),
  });

  const provider: Driven = {
    ...{ name: 'model', mode: 'test', renewals },
    async start(start) {
      if (isDown && has('down loses the key')) charge(start.orderId, start);
      guard();
      if (isDown) return { kind: 'declined', reason: 'card_declined' };
      if (has('unknown kind')) return { kind: 'done' } as never;
      const known = newest(start.orderId);
      if (known?.state === 'paid') {
        if (has('restart charges')) charge(start.orderId, start);
        return paidResult(known);
      }
      if (known?.state === 'declined' && has('declined for good'))
        return { kind: 'declined', reason: 'card_declined' };
      const isOther = known !== undefined && (known.start.renews === null) !== (start.renews === null);
      if (known?.state === 'open' && isOther && !has('page of an earlier kind')) known.state = 'expired';
      const isReused = known?.state === 'open' && !has('new page each start');
      const payment = isReused ? known : open(start);
      const host = has('page without https') ? 'http://pay.example' : 'https://pay.example';
      return { kind: 'redirect', url: `${host}/${payment.reference}`, reference: payment.reference };
    },
    async find({ orderId, reference, amountMinor, currency }) {
      if (isDown && has('down finds nothing')) return { kind: 'none' };
      guard();
      if (isDown) return { kind: 'declined', reason: 'card_declined' };
      const payment = has('find needs a reference') && reference === null ? undefined : newest(orderId);
      if (payment === undefined && has('find invents a payment'))
        return { kind: 'paid', reference: 'pay_0', amountMinor, currency };
      if (payment === undefined) return { kind: has('finds everything') ? 'pending' : 'none' };
      if (payment.state === 'open' && has('find pays')) pay(payment);
      if (payment.state === 'paid' && has('find pays')) charge(orderId, payment.start);
      const isPaid = payment.state === 'paid' || (has('find says paid early') && payment.state === 'open');
      if (!isPaid) {
        if (payment.state === 'open') return { kind: 'pending' };
        if (payment.state === 'expired') return { kind: 'none' };
        return { kind: 'declined', reason: has('declined without reason') ? '' : 'card_declined' };
      }
      return {
        ...paidResult(payment),
        amountMinor: payment.start.amountMinor + (has('find has another amount') ? 1 : 0),
        currency: payment.start.currency,
        ...(!has('find forgets refunds') &&
          !has('refund reports the part') && { refundedMinor: refunded(payment) }),
        ...(!has('find forgets disputes') && { dispute: payment.dispute }),
      };
    },
    async refund({ refundId, reference, amountMinor }) {
      if (isDown && has('down loses the key')) byReference(reference)?.refunds.set(randomUUID(), amountMinor);
      guard();
      if (isDown) return { kind: 'refunded' };
      const payment = byReference(reference);
      if (payment === undefined) {
        return has('refunds strangers')
          ? { kind: 'refunded' }
          : { kind: 'failed', reason: 'There is no such payment.' };
      }
      const id = has('refund without key') ? randomUUID() : refundId;
      if (payment.refunds.has(id)) return { kind: 'refunded' };
      const isTooMuch = refunded(payment) + amountMinor > payment.start.amountMinor;
      if (isTooMuch && !has('refund has no limit'))
        return { kind: 'failed', reason: 'That is more than is left.' };
      payment.refunds.set(id, amountMinor);
      say(payment, {
        kind: 'refunded',
        amountMinor: has('refund reports the part') ? amountMinor : refunded(payment),
      });
      return { kind: 'refunded' };
    },
    async readEvents({ headers, body }) {
      const text = new TextDecoder().decode(body);
      if (has('parses before it verifies')) JSON.parse(text);
      const isOurs = sign(text) === headers['x-signature'];
      if (!isOurs && !has('accepts any signature')) {
        if (has('throws another error')) throw new Error('bad signature');
        throw Object.assign(new Error('bad signature'), { name: 'InvalidProviderWebhookError' });
      }
      const event = JSON.parse(text === '' ? '{}' : text);
      return [{ ...event, ...(has('new id each time') && { id: randomUUID() }) } as Event];
    },
    async renew(order: Renewal) {
      if (isDown && has('down renews nothing')) return { kind: 'declined', reason: 'card_declined' };
      guard();
      if (isDown) return { kind: 'declined', reason: 'card_declined' };
      if (order.method === 'later' && !has('renewal always pays'))
        return { kind: 'declined', reason: 'card_declined' };
      const known = newest(order.orderId);
      if (known !== undefined && !has('renewal charged again')) return paidResult(known);
      const payment = open(order);
      payment.state = 'paid';
      charge(order.orderId, order);
      if (has('renewal has no payment')) payments.pop();
      return paidResult(payment);
    },
    async cancelRenewals({ reference }) {
      const payment = payments.find((known) => `sub_${known.reference}` === reference);
      if (payment?.hasEnded && has('cancel throws the second time')) throw new Error('It has ended already.');
      if (payment !== undefined) payment.hasEnded = true;
    },
  };

  const pageOf = ({ reference }: Pick<ProviderPage, 'reference'>) => {
    const payment = byReference(reference);
    if (payment?.state !== 'open') throw new Error('The page is no longer open.');
    return payment;
  };
  const acts: Record<BuyerAct, (payment: Payment) => string | undefined> = {
    pay(payment) {
      pay(payment);
      return has('stays on the page') ? undefined : payment.start.returnUrl;
    },
    'pay-with-action'(payment) {
      return acts.pay(payment);
    },
    'fail-action'(payment) {
      if (has('charges on failed action')) pay(payment);
      else acts.decline(payment);
      return payment.start.returnUrl;
    },
    decline(payment) {
      payment.state = 'declined';
      const reason = has('declined without reason') ? undefined : 'card_declined';
      say(payment, { kind: 'declined', reason });
      return payment.start.returnUrl;
    },
    cancel: ({ start }) => (has('cancel leads nowhere') ? start.returnUrl : start.cancelUrl),
  };

  return {
    provider,
    ...(renewals === 'server' && { methodDeclinedLater: 'later' }),
    act: async (act, page) => acts[act](pageOf(page)),
    async takeWebhooks() {
      const taken = sent;
      sent = [];
      if (!has('charges before the action')) return taken;
      for (const { orderId, start, state } of payments) if (state === 'open') charge(orderId, start);
      return taken;
    },
    async charges(orderId) {
      if (has('charges before the action')) {
        for (const payment of payments) if (payment.state === 'open') charge(payment.orderId, payment.start);
      }
      return charges.get(orderId) ?? [];
    },
    async expire(page) {
      const payment = pageOf(page);
      if (has('never expires')) return;
      payment.state = 'expired';
      say(payment, { kind: 'expired' });
    },
    async dispute({ reference }, step) {
      const payment = byReference(reference);
      if (payment === undefined) throw new Error('There is no such payment.');
      payment.dispute = ({ open: 'open', win: 'won', lose: 'lost' } as const)[step];
      const honest = { open: 'dispute-opened', win: 'dispute-won', lose: 'dispute-lost' }[step];
      const said = has('won is lost') && step === 'win' ? 'dispute-lost' : honest;
      const kind = has('lost is opened') && step === 'lose' ? 'dispute-opened' : said;
      if (!has('no dispute events')) say(payment, { kind });
    },
    async nextPeriod({ reference }, card) {
      const payment = byReference(reference);
      if (payment === undefined) throw new Error('There is no such payment.');
      if (payment.hasEnded && !has('renews after the end')) throw new Error('The subscription has ended.');
      payment.periods += 1;
      const renewalId = has('one renewal id') ? 'period' : `${reference}:${payment.periods}`;
      const { amountMinor, currency } = payment.start;
      const isPaid = card === 'pays' || has('failed renewals pay');
      const price = has('renewal of another price') ? amountMinor + 1 : amountMinor;
      const about = { orderId: payment.orderId, reference: `${reference}_${payment.periods}` };
      if (isPaid) say(about, { kind: 'renewed', renewalId, amountMinor: price, currency });
      else say(about, { kind: 'renewal-failed', renewalId });
    },
    async endSubscription(payment) {
      if (!has('never ends')) say(payment, { kind: 'subscription-ended' });
    },
    async setDown(next) {
      isDown = next;
    },
  };
}
