import { type Database, RENEWAL_LEAD_MS } from '@latchkey/server/extension';

/** Instant at which something happens because of the time alone. */
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

/** Range of time: after `from`, up to and including `to`. */
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

/** Lists the expiries of unused authorization codes and sign-in codes. */
export async function codeExpiries(db: Database, { from, to, limit = PAGE }: TimeRange): Promise<Occasion[]> {
  const codes = await db
    .selectFrom('authorization_codes')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'authorization_codes.client_id')
    .select(['authorization_codes.client_id as id', 'oauth_clients.name', 'expires_at as at'])
    .where('spent_at', 'is', null)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', to)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  const signIns = await db
    .selectFrom('sign_in_codes')
    .select(['email as name', 'expires_at as at'])
    .where('spent_at', 'is', null)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', to)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return [
    ...codes.map(({ id, name, at }) => ({ at, id, label: `An authorization code of ${name} expires.` })),
    ...signIns.map(({ name, at }) => ({ at, id: name, label: `The sign-in code of ${name} expires.` })),
  ].map((occasion) => ({ ...occasion, kind: 'code-expiry' as const }));
}

/** Lists the expiries of valid access tokens, or of unused refresh tokens. */
export async function tokenExpiries(
  db: Database,
  { from, to, limit = PAGE }: TimeRange,
  kind: 'access-token-expiry' | 'refresh-token-expiry',
): Promise<Occasion[]> {
  const isAccess = kind === 'access-token-expiry';
  const expiry = isAccess ? 'token_pairs.access_expires_at' : 'token_pairs.refresh_expires_at';
  const rows = await db
    .selectFrom('token_pairs')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'token_pairs.client_id')
    .innerJoin('users', 'users.id', 'token_pairs.user_id')
    .select(['token_pairs.client_id as id', 'oauth_clients.name', 'users.email', `${expiry} as at`])
    .where(isAccess ? 'token_pairs.access_revoked_at' : 'token_pairs.refresh_spent_at', 'is', null)
    .where(expiry, '>', from)
    .where(expiry, '<=', to)
    .orderBy(expiry)
    .limit(limit)
    .execute();
  const token = isAccess ? 'access token' : 'refresh token';
  return rows.map(({ id, name, email, at }) => ({
    at,
    id,
    kind,
    label: `The ${token} of ${name} for ${email ?? 'a user'} expires.`,
  }));
}

export async function membershipTurns(
  db: Database,
  { from, to, limit = PAGE }: TimeRange,
  kind: 'membership-end' | 'membership-start',
): Promise<Occasion[]> {
  const turn = kind === 'membership-end' ? 'memberships.valid_until' : 'memberships.valid_from';
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.id', 'users.email', `${turn} as at`])
    .where(turn, '>', from)
    .where(turn, '<=', to)
    // An end ahead is never announced. The condition selects the index of ends.
    .$if(kind === 'membership-end', (query) => query.where('memberships.lapse_announced_at', 'is', null))
    .orderBy(turn)
    .limit(limit)
    .execute();
  const verb = kind === 'membership-end' ? 'ends' : 'starts';
  return rows.flatMap(({ id, email, at }) =>
    at === null ? [] : [{ at, id, kind, label: `The membership of ${email ?? 'a user'} ${verb}.` }],
  );
}

/** Lists the renewals of subscriptions. Each is charged an hour before the paid time ends. */
export async function renewals(db: Database, { from, to, limit = PAGE }: TimeRange): Promise<Occasion[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.id', 'users.email', 'memberships.valid_until'])
    .where('memberships.subscription_id', 'is not', null)
    .where('memberships.subscription_cancelled_at', 'is', null)
    .where('memberships.valid_until', '>', from + RENEWAL_LEAD_MS)
    .where('memberships.valid_until', '<=', to + RENEWAL_LEAD_MS)
    .orderBy('memberships.valid_until')
    .limit(limit)
    .execute();
  return rows.flatMap(({ id, email, valid_until }) =>
    valid_until === null
      ? []
      : [
          {
            at: valid_until - RENEWAL_LEAD_MS,
            id,
            kind: 'renewal' as const,
            label: `The subscription of ${email ?? 'a user'} is charged.`,
          },
        ],
  );
}

export async function dropTurns(
  db: Database,
  { from, to, limit = PAGE }: TimeRange,
  kind: 'drop-end' | 'drop-start',
): Promise<Occasion[]> {
  const turn = kind === 'drop-end' ? 'ends_at' : 'starts_at';
  const rows = await db
    .selectFrom('drop_slots')
    .select(['id', 'name', `${turn} as at`])
    .where(turn, '>', from)
    .where(turn, '<=', to)
    .orderBy(turn)
    .limit(limit)
    .execute();
  const verb = kind === 'drop-end' ? 'ends' : 'starts';
  return rows.flatMap(({ id, name, at }) =>
    at === null ? [] : [{ at, id, kind, label: `The drop ${name} ${verb}.` }],
  );
}
