import { PATHS } from '@latchkey/contract/constants';
import { SEED } from '../world/seed.ts';
import type { Caller } from './caller.ts';
import { resultOf } from './member.ts';
import { createPageSession, hiddenField, locationOf } from './page-session.ts';

/** Buys the plan: opens the checkout, sometimes pays with a declined method first, pays, and gets the invite link. */
export async function buy(caller: Caller, name: string, email: string): Promise<void> {
  const { random } = caller;
  if (random.chance(0.3)) await inviteLink(caller, name);
  const opened = await caller.settle({
    op: 'buy-plan',
    subject: name,
    input: { externalId: name },
    path: PATHS.buyPlan,
    key: true,
    json: {
      pricingPlanId: SEED.plan.id,
      communityId: SEED.community.id,
      externalId: name,
      email,
      successUrl: 'https://soak.example/thanks',
      cancelUrl: 'https://soak.example/cart',
    },
    output: ({ status }) => ({ isOpened: status === 201 }),
  });
  const { checkoutUrl } = (opened.body.data ?? {}) as { checkoutUrl?: string };
  if (checkoutUrl === undefined) return;
  const { pathname } = new URL(checkoutUrl);
  if (random.chance(0.3)) await inviteLink(caller, name);
  if (random.chance(0.25)) await pay(caller, { name, path: pathname, method: 'declines' });
  if (random.chance(0.1)) return;
  const payOnce = () => pay(caller, { name, path: pathname, method: 'pays' });
  // A double click, or a repetition until the result is known.
  let isPaid = random.chance(0.2)
    ? (await Promise.all([payOnce(), payOnce()])).some(Boolean)
    : await payOnce();
  while (!isPaid && !caller.signal.aborted) isPaid = await payOnce();
  if (isPaid) await inviteLink(caller, name);
}

/** Pays on the checkout page. Returns true if the page confirms the payment. */
async function pay(
  caller: Caller,
  { name, path, method }: { name: string; path: string; method: string },
): Promise<boolean> {
  const browser = createPageSession(caller);
  const page = await browser.get(path);
  const terms = hiddenField(page, 'terms');
  if (terms === undefined) {
    // The page of a paid checkout has no form.
    if (page.status === null || page.status >= 500) return false;
    return (await inviteLink(caller, name)) === 200;
  }
  const sent = Date.now();
  const reply = await browser.post(`${path}/pay`, { terms, method });
  const result = locationOf(reply).includes('?paid') ? 'paid' : 'declined';
  caller.world.log.append({
    kind: 'call',
    op: 'pay',
    subject: name,
    sent,
    done: Date.now(),
    input: { externalId: name, method },
    status: reply.status,
    output: reply.status === 303 ? { result } : {},
  });
  return reply.status === 303 && result === 'paid';
}

export async function inviteLink(caller: Caller, name: string): Promise<number | null> {
  const { status } = await caller.call({
    op: 'invite-link',
    subject: name,
    input: { externalId: name },
    path: PATHS.inviteLink.replace('{externalId}', name),
    key: true,
    output: resultOf,
  });
  return status;
}
