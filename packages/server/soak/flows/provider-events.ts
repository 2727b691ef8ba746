import type { Charge } from '../world/processes.ts';
import type { Caller } from './caller.ts';

/** Price of the plan. Products have another currency, and are not refunded. */
const PLAN_CURRENCY = 'EUR';

/**
 * Reports what the payment provider charged as its webhooks do: twice at once, in any order, and again until a process has stored it.
 * Some of the money goes back.
 *
 * @param reported orders that were reported before
 */
export async function reportCharge(caller: Caller, reported: Set<string>): Promise<void> {
  const { random, world } = caller;
  const charge = world.charges.find(({ orderId }) => !reported.has(orderId));
  if (charge === undefined) return;
  reported.add(charge.orderId);
  const isRefunded = charge.currency === PLAN_CURRENCY && random.chance(0.3);
  const events = ['paid', 'paid', ...(isRefunded ? ['refunded', 'refunded'] : [])];
  const order = random.chance(0.5) ? events : events.toReversed();
  if (random.chance(0.5)) await Promise.all(order.map((kind) => report(caller, charge, kind)));
  else for (const kind of order) await report(caller, charge, kind);
}

async function report(caller: Caller, charge: Charge, kind: string): Promise<void> {
  const { orderId } = charge;
  const id = `${kind}:${orderId}`;
  await caller.settle({
    op: 'provider-event',
    subject: orderId,
    input: { id, event: kind, amountMinor: charge.amountMinor },
    path: '/payments/soak/webhook',
    json: { ...charge, id, kind, reference: orderId, mode: 'test', createdAt: Date.now() },
  });
}
