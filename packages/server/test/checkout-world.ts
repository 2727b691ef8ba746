import { anyWebhookEventSchemas, ENDPOINTS, type WebhookEvent } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Database } from '../src/platform/database/open-database.js';
import { callWithKey } from './api-key-requests.js';
import { type Browser, locationOf } from './browser.js';
import { formOf, parsePage } from './pages/page-document.js';
import type { ServiceUnderTest } from './service-under-test.js';

const { community, plans, users } = sandboxScenario;

/** Return addresses of the shop in these tests. */
export const SUCCESS_URL = 'https://shop.example/thanks?order=7';
export const CART = 'https://shop.example/cart';

export { itWithDatabase as it } from './service-with-database.js';

/** Request to buy-plan that gets a checkout, with changes. `undefined` omits a field. */
export function purchase(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    pricingPlanId: plans.monthly.id,
    communityId: community.id,
    externalId: 'order-7',
    email: 'ben@example.com',
    successUrl: SUCCESS_URL,
    cancelUrl: CART,
    ...changes,
  };
}

/** Calls buy-plan. */
export async function callBuyPlan(
  service: ServiceUnderTest,
  changes: Record<string, unknown> = {},
  key?: string,
) {
  const json = purchase(changes);
  return await callWithKey(service, {
    path: '/api/checkout/buy-plan',
    json,
    // A process on the database of another one is reached like through a proxy.
    headers: { host: new URL(service.baseUrl).host },
    ...(key !== undefined && { key }),
  });
}

/** Opens a checkout with buy-plan and returns the path of its page. */
export async function openCheckout(
  service: ServiceUnderTest,
  changes: Record<string, unknown> = {},
  key?: string,
): Promise<string> {
  const answer = await callBuyPlan(service, changes, key);
  const { data } = ENDPOINTS.buyPlan.success.body.loose.parse(answer.body);
  return new URL(data?.checkoutUrl ?? 'https://there-was-no-checkout-url.invalid').pathname;
}

/** Test cards and transfers. */
export const METHODS = {
  card: 'card-4242',
  declined: 'card-0002',
  poor: 'card-9995',
  failsLater: 'card-0341',
  transfer: 'transfer-arrives',
  noTransfer: 'transfer-expires',
} as const;

/** Hidden fields of a checkout page's form. */
export async function checkoutFields(browser: Browser, path: string): Promise<Record<string, string>> {
  const page = parsePage(await (await browser.get(path)).text());
  return Object.fromEntries(formOf(page, `${path}/pay`).hidden);
}

/** Opens a checkout page, pays there and returns the response to the form. */
export async function pay(browser: Browser, path: string, method: string = METHODS.card): Promise<Response> {
  return await browser.post(`${path}/pay`, { ...(await checkoutFields(browser, path)), method });
}

/**
 * Returns a browser in which the buyer is signed in. Only a new buyer has no account yet.
 *
 * @param process another process on the database of the sandbox, which the browser visits.
 */
export async function buyersBrowser(
  service: ServiceUnderTest,
  email: unknown,
  process = service,
): Promise<Browser> {
  const signedIn = service.browser();
  const isKnown = Object.values(users).some((user) => user.email === email);
  if (isKnown) await signedIn.post('/sandbox/sign-in', { email: String(email) });
  return process === service ? signedIn : process.browser(signedIn.cookies);
}

/** Pays a checkout by card and asserts that the payment succeeds. Without a browser, nobody is signed in. */
export async function payFor(
  service: ServiceUnderTest,
  changes: Record<string, unknown> = {},
  method: string = METHODS.card,
  browser: Browser = service.browser(),
): Promise<string> {
  const path = await openCheckout(service, changes);
  const answer = await pay(browser, path, method);
  if (locationOf(answer) !== `${path}?paid`)
    throw new Error(`Payment failed: ${answer.status} ${locationOf(answer)}`);
  return path;
}

/** Returns every event since the seeding of the sandbox, parsed with the strict schema, by time and then by type. */
export async function eventsOf(db: Database): Promise<WebhookEvent[]> {
  const rows = await db
    .selectFrom('webhook_events')
    .select('body')
    .orderBy('created_at')
    .orderBy('type')
    .execute();
  const seeded: string[] = Object.values(sandboxScenario.memberships).map(({ id }) => id);
  return rows
    .map(({ body }) => anyWebhookEventSchemas.strict.parse(JSON.parse(body)))
    .filter(({ data }) => !('membership' in data && seeded.includes(data.membership.id)));
}

/** Returns the types of the events since the seeding of the sandbox. */
export async function eventTypesOf(db: Database): Promise<string[]> {
  return (await eventsOf(db)).map(({ type }) => type);
}

/** Returns a user's membership of the sandbox's community. */
export async function membershipOf(db: Database, email: string) {
  return await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('community_emails as link', (join) =>
      join
        .onRef('link.user_id', '=', 'memberships.user_id')
        .onRef('link.community_id', '=', 'memberships.community_id'),
    )
    .selectAll('memberships')
    .where((eb) => eb.or([eb('users.email', '=', email), eb('link.email', '=', email)]))
    .where('memberships.community_id', '=', community.id)
    .executeTakeFirst();
}

/** Opens a page without cookies. */
export async function pageAt(service: ServiceUnderTest, path: string) {
  const response = await service.browser().get(path);
  return { status: response.status, $: parsePage(await response.text()), headers: response.headers };
}
