import { type Database, PENDING, RENEWAL_LEAD_MS } from '@latchkey/server/extension';
import type { ClockPresetName } from '../routes/routes.js';

/** A point in time at which something happens just because time passes. */
export interface Occasion {
  /** Milliseconds since the epoch, by the service's clock. */
  readonly at: number;
  readonly kind: OccasionKind;
  readonly label: string;
  /** Id of the membership, the drop, the client or the delivery. */
  readonly id: string;
}

export type OccasionKind =
  | 'access-token-expiry'
  | 'code-expiry'
  | 'delivery'
  | 'drop-end'
  | 'drop-start'
  | 'membership-end'
  | 'membership-start'
  | 'refresh-token-expiry'
  | 'renewal';

/** A range of time: after `from`, up to and including `to`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  /**
   * Maximum number of occasions of one kind that are read.
   *
   * @default 1000
   */
  readonly limit?: number;
}

/** Maximum number of occasions of one kind that are read at once. */
const PAGE = 1_000;

/** Limits a query to a range of time, in order. Kysely uses only the column's name. */
function within<Query>(query: Query, instant: string, { from, to, limit = PAGE }: TimeRange): Query {
  const any = query as {
    where(column: string, operator: string, value: number): typeof any;
    orderBy(column: string): typeof any;
    limit(rows: number): Query;
  };
  return any.where(instant, '>', from).where(instant, '<=', to).orderBy(instant).limit(limit);
}

export async function codeExpiries(db: Database, range: TimeRange): Promise<Occasion[]> {
  const selectCodes = db
    .selectFrom('authorization_codes')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'authorization_codes.client_id')
    .select(['authorization_codes.client_id as id', 'oauth_clients.name', 'expires_at as at'])
    .where('spent_at', 'is', null);
  const selectSignIns = db
    .selectFrom('sign_in_codes')
    .select(['email as name', 'expires_at as at'])
    .where('spent_at', 'is', null);
  const codes = await within(selectCodes, 'expires_at', range).execute();
  const signIns = await within(selectSignIns, 'expires_at', range).execute();
  return [
    ...codes.map(({ id, name, at }) => ({ at, id, label: `An authorization code of ${name} expires.` })),
    ...signIns.map(({ name, at }) => ({ at, id: name, label: `The sign-in code of ${name} expires.` })),
  ].map((occasion) => ({ ...occasion, kind: 'code-expiry' as const }));
}

export async function tokenExpiries(
  db: Database,
  range: TimeRange,
  kind: 'access-token-expiry' | 'refresh-token-expiry',
): Promise<Occasion[]> {
  const isAccess = kind === 'access-token-expiry';
  const expiry = isAccess ? 'token_pairs.access_expires_at' : 'token_pairs.refresh_expires_at';
  const select = db
    .selectFrom('token_pairs')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'token_pairs.client_id')
    .innerJoin('users', 'users.id', 'token_pairs.user_id')
    .select(['token_pairs.client_id as id', 'oauth_clients.name', 'users.email', `${expiry} as at`])
    .where(isAccess ? 'token_pairs.access_revoked_at' : 'token_pairs.refresh_spent_at', 'is', null);
  const rows = await within(select, expiry, range).execute();
  const token = isAccess ? 'access token' : 'refresh token';
  return rows.map(({ id, name, email, at }) => ({
    ...{ at, id, kind },
    label: `The ${token} of ${name} for ${email ?? 'a user'} expires.`,
  }));
}

/** Selects memberships, each with the address by which its community knows the user. */
function membershipsWithEmail(db: Database) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('community_emails as link', (join) =>
      join
        .onRef('link.community_id', '=', 'memberships.community_id')
        .onRef('link.user_id', '=', 'memberships.user_id'),
    )
    .select('memberships.id')
    .select(({ fn }) => fn.coalesce('link.email', 'users.email').as('email'));
}

export async function membershipTurns(
  db: Database,
  range: TimeRange,
  kind: 'membership-end' | 'membership-start',
): Promise<Occasion[]> {
  const turn = kind === 'membership-end' ? 'memberships.valid_until' : 'memberships.valid_from';
  const select = membershipsWithEmail(db)
    .leftJoin('communities', 'communities.id', 'memberships.community_id')
    .leftJoin('products', 'products.id', 'memberships.product_id')
    .select(`${turn} as at`)
    .select(({ fn }) => fn.coalesce('communities.name', 'products.name').as('name'))
    // An end in the future is never announced. The condition makes the database use the index of ends.
    .$if(kind === 'membership-end', (query) => query.where('memberships.lapse_announced_at', 'is', null));
  const rows = await within(select, turn, range).execute();
  const verb = kind === 'membership-end' ? 'ends' : 'starts';
  return rows.flatMap(({ id, email, name, at }) => {
    const label = `The membership of ${email ?? 'a user'} (${name}) ${verb}.`;
    return at === null ? [] : [{ at, id, kind, label }];
  });
}

/** Lists the renewals of subscriptions, which are charged an hour before the paid time ends. */
async function renewals(db: Database, { from, to, limit = PAGE }: TimeRange): Promise<Occasion[]> {
  const select = membershipsWithEmail(db)
    .select('memberships.valid_until')
    .where('memberships.subscription_id', 'is not', null)
    .where('memberships.subscription_cancelled_at', 'is', null);
  const ends = { from: from + RENEWAL_LEAD_MS, to: to + RENEWAL_LEAD_MS, limit };
  const rows = await within(select, 'memberships.valid_until', ends).execute();
  return rows.map(({ id, email, valid_until }) => ({
    at: Number(valid_until) - RENEWAL_LEAD_MS,
    id,
    kind: 'renewal',
    label: `The subscription of ${email ?? 'a user'} is charged.`,
  }));
}

export async function dropTurns(
  db: Database,
  range: TimeRange,
  kind: 'drop-end' | 'drop-start',
): Promise<Occasion[]> {
  const turn = kind === 'drop-end' ? 'ends_at' : 'starts_at';
  const select = db.selectFrom('drop_slots').select(['id', 'name', `${turn} as at`]);
  const rows = await within(select, turn, range).execute();
  const verb = kind === 'drop-end' ? 'ends' : 'starts';
  return rows.flatMap(({ id, name, at }) =>
    at === null ? [] : [{ at, id, kind, label: `The drop ${name} ${verb}.` }],
  );
}

/**
 * Returns when the service next has work to do, or `undefined`. A move asks this at each step, so each query reads a
 * single index entry.
 *
 * @param sendsDeliveries false to ignore the next attempts of deliveries.
 */
export async function nextWork(
  db: Database,
  range: TimeRange,
  { sendsDeliveries }: { sendsDeliveries: boolean },
): Promise<number | undefined> {
  const next = { ...range, limit: 1 };
  const selectAttempts = db
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at as at')
    .where('status', '=', PENDING);
  const found = await Promise.all([
    renewals(db, next),
    membershipTurns(db, next, 'membership-end'),
    sendsDeliveries ? within(selectAttempts, 'next_attempt_at', next).execute() : [],
  ]);
  const instants = found.flat().map(({ at }) => at);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

const SEARCHES: Readonly<Record<ClockPresetName, (db: Database, range: TimeRange) => Promise<Occasion[]>>> = {
  'next-code-expiry': codeExpiries,
  'access-token-expiry': (db, range) => tokenExpiries(db, range, 'access-token-expiry'),
  'refresh-token-expiry': (db, range) => tokenExpiries(db, range, 'refresh-token-expiry'),
  'next-renewal': renewals,
  'next-membership-end': (db, range) => membershipTurns(db, range, 'membership-end'),
  'next-drop-start': (db, range) => dropTurns(db, range, 'drop-start'),
};

/** Returns a preset's next occasion in a range of time, or `undefined` if the data contains none. */
export async function findPreset(
  db: Database,
  name: ClockPresetName,
  range: TimeRange,
): Promise<Occasion | undefined> {
  const found = await SEARCHES[name](db, { ...range, limit: 1 });
  return found.toSorted((one, other) => one.at - other.at)[0];
}
