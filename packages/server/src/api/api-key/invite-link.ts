import { randomUUID } from 'node:crypto';
import { formatTimestamp, INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import { findInvitableCheckout } from '../../domain/checkout/invitable-checkout.js';
import { findCommunityFor } from '../../domain/communities/communities.js';
import { isActiveMember } from '../../domain/memberships/active-memberships.js';
import { insertInvite } from '../../domain/messenger/invites.js';
import type { MessengerBot } from '../../domain/messenger/messenger-bot.js';
import { findBotName } from '../../domain/messenger/messenger-bots.js';
import type { Clock } from '../../platform/clock.js';
import { hashSecret } from '../../platform/secrets.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { done, notFound } from './frame/endpoint-result.js';

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
