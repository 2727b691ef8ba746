import { randomUUID } from 'node:crypto';
import { formatTimestamp, INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import { findCommunityFor } from '../../domain/communities/communities.js';
import { isActiveMember } from '../../domain/memberships/active-memberships.js';
import { insertInvite } from '../../domain/messenger/invites.js';
import type { MessengerBot } from '../../domain/messenger/messenger-bot.js';
import { findBotName } from '../../domain/messenger/messenger-bots.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { done, notFound } from './frame/endpoint-result.js';

/** Checkout for which an invite link can be created. */
interface InvitableCheckout {
  communityId: string;
  buyerId: string;
  /** Owner of the API key that opened the checkout. */
  callerId: string | null;
  isPaid: boolean;
}

const selectCheckouts = (db: Database, externalId: string) =>
  db
    .selectFrom('checkout_reservations')
    .select(['community_id', 'user_id', 'caller_id', 'paid_at'])
    .where('external_id', '=', externalId)
    .where('community_id', 'is not', null);

type CheckoutQuery = ReturnType<typeof selectCheckouts>;

/**
 * Finds the checkout of an external id. The caller's own checkout precedes those of other callers. A paid one precedes an
 * open one, and the newest payment precedes older ones.
 */
async function findInvitableCheckout(
  db: Database,
  { externalId, callerId }: { externalId: string; callerId: string },
): Promise<InvitableCheckout | undefined> {
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
  const row =
    (await newestPaid(own())) ??
    (await open(own())) ??
    (await newestPaid(selectCheckouts(db, externalId))) ??
    (await open(selectCheckouts(db, externalId)));
  if (row === undefined || row.community_id === null) return undefined;
  return {
    communityId: row.community_id,
    buyerId: row.user_id,
    callerId: row.caller_id,
    isPaid: row.paid_at !== null,
  };
}

interface InviteLinkNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
  readonly messengerBot: MessengerBot | undefined;
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

/**
 * `GET /membership/join-messenger-community-external/{externalId}` (spec, section of that name): creates an invite link
 * for the buyer of a paid checkout. The checks, in order:
 *
 * 1. the checkout exists and is paid, else 404
 * 2. the buyer is an active member, else 401
 * 3. the community has a bot, else a 200 with `success` false
 *
 * The request is not limited to the caller's communities. A link binds the messenger account that uses it to the buyer
 * only if the caller opened the checkout or administers the community. Otherwise anyone who guesses an `externalId`
 * could join in the buyer's name.
 */
export function inviteLink(needs: InviteLinkNeeds): AddApiKeyRoute {
  const { db, clock, messengerBot } = needs;
  return apiKeyRoute(needs, needs.endpoints.inviteLink, async ({ path: { externalId }, apiKey }) => {
    const callerId = apiKey.ownerId;
    const checkout = await findInvitableCheckout(db, { externalId, callerId });
    if (checkout === undefined) return notFound('There is no checkout with this externalId.');
    if (!checkout.isPaid) {
      return notFound('The membership has not been processed yet, because the payment is not completed.');
    }
    const { communityId, buyerId } = checkout;
    const now = clock.now();
    if (!(await isActiveMember(db, { communityId, userId: buyerId }, now))) return NOT_A_MEMBER;
    const botName = await findBotName(db, communityId);
    if (messengerBot === undefined || botName === undefined) return NO_BOT;
    const community = await findCommunityFor(db, callerId, communityId);
    const bindsAccount = checkout.callerId === callerId || (community?.role ?? null) !== null;

    const expiresAt = now + INVITE_LINK_LIFETIME_SECONDS * 1000;
    const communityName = community?.name ?? botName;
    // If the process ends before the insert, the link admits no one.
    const link = await messengerBot.mintInviteLink({ botName, communityId, communityName, expiresAt });
    await insertInvite(
      db,
      { id: randomUUID(), linkHash: hashSecret(link), communityId, buyerId, expiresAt, bindsAccount },
      now,
    );
    return done({ link, expiresAt: formatTimestamp(expiresAt) });
  });
}
