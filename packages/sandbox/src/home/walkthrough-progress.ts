import type { Database } from '@latchkey/server/extension';
import type { Requests } from '../control/requests/request-log.js';
import { SCENARIO_CHECKOUT_IDS } from '../scenario/member-rows.js';
import type { Needs } from '../services/services.js';

/** The purchase that the later steps are about: the newest one in this sandbox. Purchases in scenarios don't count. */
export interface WalkthroughPurchase {
  readonly membershipId: string;
  readonly userId: string;
  readonly buyer: string;
  readonly item: string;
  /** Milliseconds since the epoch, here and below, by the service's clock. */
  readonly paidAt: number;
  /** When access ends; null for lifetime access. */
  readonly endsAt: number | null;
  /** The payment's entry in the request log. Absent, here and below, if the log no longer has it. */
  readonly requestId?: string;
}

/**
 * The finished steps of the walkthrough, each with its facts. The front page lists five steps: sign in, buy a
 * membership, the gate opens, the webhook arrives, access ends.
 */
export interface WalkthroughProgress {
  readonly signIn?: { readonly person: string; readonly client: string; readonly requestId?: string };
  readonly purchase?: WalkthroughPurchase;
  /** The client that received the bought membership after the purchase. */
  readonly gate?: { readonly client: string; readonly requestId: string };
  /** The delivered event about the bought membership. */
  readonly webhook?: { readonly type: string; readonly url: string; readonly eventId: string };
  readonly ended?: { readonly at: number };
}

interface Source extends Needs<'db'> {
  readonly requests: Pick<Requests, 'list' | 'find'>;
}

const SEARCHED = 2_000;

/** Finds the finished steps of the walkthrough in the data, the deliveries and the request log. */
export async function readWalkthrough(
  { db, clock }: Needs<'db' | 'clock'>,
  requests: Pick<Requests, 'list' | 'find'>,
): Promise<WalkthroughProgress> {
  const source = { db, requests };
  const signIn = await newestSignIn(source);
  const purchase = await newestPurchase(source);
  if (purchase === undefined) return { ...(signIn && { signIn }) };
  const gate = await clientThatKnows(source, purchase);
  const webhook = await deliveredEvent(db, purchase);
  const hasEnded = purchase.endsAt !== null && purchase.endsAt <= clock.now();
  return {
    ...(signIn && { signIn }),
    purchase,
    ...(gate && { gate }),
    ...(webhook && { webhook }),
    ...(hasEnded && { ended: { at: purchase.endsAt } }),
  };
}

/** Finds the sign-in by its consent, which stays when the clock moves past the tokens. */
async function newestSignIn({ db, requests }: Source): Promise<WalkthroughProgress['signIn']> {
  const row = await db
    .selectFrom('consents')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'consents.client_id')
    .innerJoin('users', 'users.id', 'consents.user_id')
    .leftJoin('token_pairs', (join) =>
      join
        .onRef('token_pairs.client_id', '=', 'consents.client_id')
        .onRef('token_pairs.user_id', '=', 'consents.user_id'),
    )
    .select(['users.email', 'oauth_clients.name', 'oauth_clients.client_id', 'token_pairs.id as tokens'])
    .orderBy(({ fn }) => fn.coalesce('token_pairs.refresh_expires_at', 'consents.granted_at'), 'desc')
    .orderBy('token_pairs.id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [call] = requests.list({
    endpoint: 'token',
    status: '2xx',
    client: row.client_id,
    limit: 1,
  }).requests;
  // Without both, the app hasn't exchanged a code.
  if (row.tokens === null && call === undefined) return undefined;
  return { person: row.email ?? 'A user', client: row.name, ...(call && { requestId: call.id }) };
}

async function newestPurchase({ db, requests }: Source): Promise<WalkthroughPurchase | undefined> {
  const row = await db
    .selectFrom('checkout_reservations as reservation')
    .innerJoin('memberships', 'memberships.id', 'reservation.membership_id')
    .innerJoin('users', 'users.id', 'reservation.user_id')
    .leftJoin('community_emails as link', (join) =>
      join
        .onRef('link.community_id', '=', 'reservation.community_id')
        .onRef('link.user_id', '=', 'reservation.user_id'),
    )
    .leftJoin('pricing_plans', 'pricing_plans.id', 'reservation.pricing_plan_id')
    .leftJoin('products', 'products.id', 'reservation.product_id')
    .select(['memberships.id', 'memberships.valid_until', 'users.id as user_id'])
    .select(({ fn }) => fn.coalesce('link.email', 'users.email').as('email'))
    .select(['reservation.paid_at', 'pricing_plans.name as plan', 'products.name as product'])
    .where('reservation.paid_at', 'is not', null)
    .where('reservation.id', 'not like', SCENARIO_CHECKOUT_IDS)
    .orderBy('reservation.paid_at', 'desc')
    .orderBy('reservation.id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.paid_at === null) return undefined;
  const paidAt = row.paid_at;
  const payment = requests
    .list({ endpoint: 'page', path: '/checkout/', status: '303', limit: SEARCHED })
    .requests.find(({ path, serviceTime }) => path.endsWith('/pay') && Date.parse(serviceTime) <= paidAt);
  return {
    membershipId: row.id,
    userId: row.user_id,
    buyer: row.email ?? 'A user',
    item: row.plan ?? row.product ?? 'A membership',
    paidAt,
    endsAt: row.valid_until,
    ...(payment && { requestId: payment.id }),
  };
}

/** Finds a client that asked for the buyer's memberships after the purchase and received the bought one. */
async function clientThatKnows(
  { db, requests }: Source,
  { userId, membershipId, paidAt }: WalkthroughPurchase,
): Promise<WalkthroughProgress['gate']> {
  const answer = requests
    .list({ status: '200', limit: SEARCHED })
    .requests.find(
      ({ id, endpoint, caller, serviceTime }) =>
        endpoint === 'memberships' &&
        caller?.kind === 'client' &&
        caller.userId === userId &&
        Date.parse(serviceTime) >= paidAt &&
        requests.find(id).responseBody?.text.includes(membershipId),
    );
  if (answer?.caller?.kind !== 'client') return undefined;
  const client = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('client_id', '=', answer.caller.clientId)
    .executeTakeFirst();
  return { client: client?.name ?? answer.caller.clientId, requestId: answer.id };
}

async function deliveredEvent(
  db: Database,
  { membershipId, paidAt }: WalkthroughPurchase,
): Promise<WalkthroughProgress['webhook']> {
  return await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['event.type', 'webhooks.url', 'event.id as eventId'])
    .where('delivery.status', '=', 'delivered')
    .where('event.created_at', '>=', paidAt)
    // Payments have separate events, which can arrive in any order.
    .where('event.type', 'in', ['membership.created', 'membership.updated'])
    .where('event.body', 'like', `%${membershipId}%`)
    .orderBy('event.created_at')
    .orderBy('delivery.id')
    .limit(1)
    .executeTakeFirst();
}
