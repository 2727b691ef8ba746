import { SEED } from '../world/seed.ts';
import type { Caller } from './caller.ts';
import { authorize, createAccount, memberships } from './grants.ts';
import { hiddenField, locationOf, type PageSession, signIn } from './page-session.ts';

/** Person who buys the product once. */
export interface Shopper {
  readonly name: string;
  readonly email: string;
  browser?: PageSession | undefined;
}

const PAGE = `/products/${SEED.product.id}`;
const RETRY_LIMIT = 40;

/** Signs in, opens one or two checkouts of the product, pays, and reads the access on the page and with an app's token. */
export async function buyProduct(caller: Caller, shopper: Shopper): Promise<void> {
  const { random } = caller;
  shopper.browser = await signIn(caller, shopper.email);
  if (shopper.browser === undefined) return;
  const account = await readProductPage(caller, shopper);
  if (account === undefined) return;
  const checkouts: string[] = [];
  for (let tab = random.chance(0.3) ? 2 : 1; tab > 0; tab -= 1) {
    const path = await open(caller, shopper, account);
    if (path !== undefined) checkouts.push(path);
  }
  const [first, second = first] = checkouts;
  if (first === undefined || second === undefined) return;
  if (random.chance(0.25)) await pay(caller, shopper, { path: first, method: 'declines' });
  if (random.chance(0.1)) return;
  const payOnce = (path: string) => pay(caller, shopper, { path, method: 'pays' });
  // A double click, or a payment in each of two tabs.
  let isOwned = random.chance(0.3)
    ? (await Promise.all([payOnce(first), payOnce(second)])).some(Boolean)
    : await payOnce(first);
  for (let tries = 0; !isOwned && tries < RETRY_LIMIT && !caller.signal.aborted; tries += 1) {
    isOwned = await payOnce(first);
  }
  if (second !== first && random.chance(0.5)) await payOnce(second);
  await readProductPage(caller, shopper);
  if (random.chance(0.3)) await readWithApp(caller, shopper);
}

/** Reads the page until its result is known, and signs in again if the session has ended. */
export async function readOwnership(caller: Caller, shopper: Shopper): Promise<void> {
  for (let tries = 0; tries < RETRY_LIMIT; tries += 1) {
    shopper.browser ??= await signIn(caller, shopper.email);
    if (shopper.browser !== undefined && (await readProductPage(caller, shopper)) !== undefined) return;
    shopper.browser = undefined;
  }
}

/** Reads the product's page. Returns the account that the page shows, an empty text on the page of an owner. */
async function readProductPage(
  caller: Caller,
  { name, email, browser }: Shopper,
): Promise<string | undefined> {
  const sent = Date.now();
  const page = await browser?.get(PAGE);
  if (page === undefined) return undefined;
  const { text = '' } = page.body as { text?: string };
  const account = hiddenField(page, 'account');
  const isOwned = text.includes('You have lifetime access to this product.');
  const access = isOwned ? 'owned' : account === undefined ? 'signed-out' : 'none';
  caller.world.log.append({
    ...{ kind: 'call', op: 'product-page', subject: name, sent, done: Date.now(), input: { email } },
    ...{ status: page.status, output: page.status === 200 ? { access } : {} },
  });
  if (page.status !== 200 || access === 'signed-out') return undefined;
  return account ?? '';
}

/** Opens a checkout of the product. Returns its path. */
async function open(
  caller: Caller,
  { name, email, browser }: Shopper,
  account: string,
): Promise<string | undefined> {
  const sent = Date.now();
  const reply = await browser?.post(`${PAGE}/buy`, { account });
  if (reply === undefined) return undefined;
  const path = reply.status === 303 ? locationOf(reply) : '';
  caller.world.log.append({
    ...{ kind: 'call', op: 'open-product', subject: name, sent, done: Date.now(), input: { email } },
    ...{ status: reply.status, output: { isOpened: path.startsWith('/checkout/') } },
  });
  return path.startsWith('/checkout/') ? path : undefined;
}

/** Pays on the checkout page. Returns true if the page confirms that the shopper owns the product. */
async function pay(
  caller: Caller,
  shopper: Shopper,
  { path, method }: { path: string; method: string },
): Promise<boolean> {
  const { name, email, browser } = shopper;
  const page = await browser?.get(path);
  if (page === undefined || page.status === null || page.status >= 500) return false;
  const terms = hiddenField(page, 'terms');
  // The checkout of an owner has no form.
  if (terms === undefined) return page.status === 303 || page.status === 200;
  const sent = Date.now();
  const reply = await browser?.post(`${path}/pay`, { terms, method });
  if (reply === undefined) return false;
  const result = reply.status === 303 ? resultOf(locationOf(reply)) : undefined;
  caller.world.log.append({
    ...{ kind: 'call', op: 'pay-product', subject: name, sent, done: Date.now(), input: { email, method } },
    ...{ status: reply.status, output: result === undefined ? {} : { result } },
  });
  return result === 'paid' || result === 'owned';
}

function resultOf(location: string): 'paid' | 'declined' | 'owned' {
  if (location.includes('?paid')) return 'paid';
  return location.includes('?declined') ? 'declined' : 'owned';
}

async function readWithApp(caller: Caller, shopper: Shopper): Promise<void> {
  const account = { ...createAccount(shopper), browser: shopper.browser };
  await authorize(caller, account);
  const [pair] = account.pairs;
  if (pair !== undefined) await memberships(caller, account, pair);
}
