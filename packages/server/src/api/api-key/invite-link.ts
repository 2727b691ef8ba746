import { randomUUID } from 'node:crypto';
import type { Endpoints, SuccessData } from '@latchkey/contract';
import { formatTimestamp, HOUR_MS, INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { NotNull } from 'kysely';
import type { Needs } from '../../app/services.js';
import { audited } from '../../features/audit/audit.js';
import { useBudgets } from '../../features/budgets/budgets.js';
import { findBotName, findCommunityFor } from '../../features/communities/communities.js';
import { isActiveMember } from '../../features/memberships/active-memberships.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { done, type EndpointResult, notFound } from './endpoint-result.js';

const selectCheckouts = (db: Database, externalId: string) =>
  db
    .selectFrom('checkout_reservations')
    .select(['id', 'community_id', 'user_id', 'paid_at'])
    .where('external_id', '=', externalId)
    .where('community_id', 'is not', null)
    .$narrowType<{ community_id: NotNull }>();

type CheckoutQuery = ReturnType<typeof selectCheckouts>;

/** Finds the checkout with an external id. Prefers the caller's own checkouts, then paid ones, then the newest payment. */
async function findInvitableCheckout(
  db: Database,
  { externalId, callerId }: { externalId: string; callerId: string },
) {
  const newestPaid = (query: CheckoutQuery) =>
    query
      .where('paid_at', 'is not', null)
      .orderBy('paid_at', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  const open = (query: CheckoutQuery) => query.where('paid_at', 'is', null).limit(1).executeTakeFirst();
  const own = () => selectCheckouts(db, externalId).where('caller_id', '=', callerId);
  return (
    (await newestPaid(own())) ??
    (await open(own())) ??
    (await newestPaid(selectCheckouts(db, externalId))) ??
    (await open(selectCheckouts(db, externalId)))
  );
}

const NO_BOT = {
  kind: 'unsuccessful',
  data: null,
  message: 'The messenger bot of this community is not set up.',
} as const;

const NOT_A_MEMBER = {
  kind: 'failed',
  status: 401,
  errorCode: 'unauthorized',
  message: 'The buyer is not a member of the community.',
} as const;

/** How many links per hour the callers of one community create together, and how many everyone else does. */
const [LINKS_BY_ITS_CALLERS, LINKS_BY_STRANGERS] = [10_000, 100];

/**
 * `GET /membership/join-messenger-community-external/{externalId}` (spec, section of that name): creates an invite link
 * for the buyer of a paid checkout. The checks, in order:
 *
 * 1. the checkout exists and is paid, else 404
 * 2. the buyer is an active member, else 401
 * 3. the community has a bot, else a 200 with `success` false
 * 4. the callers of the community, or all others, have not created too many links, else the same
 *
 * The request is not limited to the caller's communities. A link binds the messenger account that uses it to the buyer
 * only if the caller administers the community, still at the join. Otherwise anyone who guesses an `externalId`, and former administrators
 * with their old checkouts, could join in the buyer's name.
 */
export async function inviteLink(
  { db, clock, messengerBot }: Needs<'clock' | 'db' | 'messengerBot'>,
  externalId: string,
  callerId: string,
): Promise<EndpointResult<SuccessData<Endpoints['inviteLink']>>> {
  const checkout = await findInvitableCheckout(db, { externalId, callerId });
  if (checkout === undefined) return notFound('There is no checkout with this externalId.');
  if (checkout.paid_at === null) {
    return notFound('The membership has not been processed yet, because the payment is not completed.');
  }
  const { community_id: communityId, user_id: buyerId } = checkout;
  const now = clock.now();
  if (!(await isActiveMember(db, { communityId, userId: buyerId }, now))) return NOT_A_MEMBER;
  const botName = await findBotName(db, communityId);
  if (messengerBot === undefined || botName === undefined) return NO_BOT;
  const community = await findCommunityFor(db, callerId, communityId);
  const bindsAccount = (community?.role ?? null) !== null;

  const limit = bindsAccount ? LINKS_BY_ITS_CALLERS : LINKS_BY_STRANGERS;
  // The messenger limits how many links a bot creates.
  const counted = ['invite links', communityId, bindsAccount ? 'own' : 'others'];
  const count = (transaction: Database) =>
    useBudgets(transaction, [{ counted, limit, periodMs: HOUR_MS }], now);
  const use = await inTransaction(db, count, { isolation: 'read committed' });
  if (use.kind === 'exhausted') {
    const message = `${limit} links to this community were created within an hour, which is the maximum. Try again after ${formatTimestamp(use.availableAt)}.`;
    return { kind: 'unsuccessful', data: null, message };
  }

  const expiresAt = now + INVITE_LINK_LIFETIME_SECONDS * 1000;
  const communityName = community?.name ?? botName;
  // If the process ends before the insert, nobody can join by the link.
  const link = await messengerBot.mintInviteLink({ botName, communityId, communityName, expiresAt });
  const invite = {
    id: randomUUID(),
    link_hash: hashSecret(link),
    community_id: communityId,
    caller_id: bindsAccount ? callerId : null,
    expires_at: expiresAt,
    created_at: now,
  } as const;
  await audited(db, { action: 'invite.create', subjectId: invite.id, communityId }, async (transaction) => {
    // Read again: meanwhile, the buyer may have proved the address and become another user.
    const { user_id } = await transaction
      .selectFrom('checkout_reservations')
      .select('user_id')
      .where('id', '=', checkout.id)
      .executeTakeFirstOrThrow();
    return await transaction
      .insertInto('messenger_invites')
      .values({ ...invite, user_id })
      .execute();
  });
  return done({ link, expiresAt: formatTimestamp(expiresAt) });
}
