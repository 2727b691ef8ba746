import { INVITE_LINK_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import { randomToken } from './grants.js';
import type {
  ApiKeyData,
  ApiKeyEndpointName,
  FakeEvent,
  IdentityReading,
  Messages,
  Reading,
} from './reading.js';
import * as checks from './request-checks.js';
import { randomId } from './world.js';

const FIRST_MESSAGES: Messages = {
  keyRejected: 'The API key is missing or malformed.',
  missingRole: 'The key owner is not OWNER or ADMIN of the community.',
  missingPermission: 'The API key lacks a permission.',
  unknownCommunity: 'No such community.',
  invalidField: (name) => `${name} is missing or malformed.`,
  overlap: 'The buyer already has an active membership.',
  subscription: 'A subscription manages the membership.',
  notProcessed: 'The membership has not been processed yet.',
  notAMember: 'The buyer is not a member of the community.',
  noBot: 'The messenger bot is not set up.',
  missingEmail: 'email is missing.',
  noDrop: 'The community has no upcoming drop.',
  signedUpBefore: 'The address is already signed up for this drop.',
  noSuchClient: 'No such client.',
};

/** Fixed successes: the API-key endpoints keep no state, and tests script every other response. */
export const API_KEY_DATA: Readonly<Record<ApiKeyEndpointName, ApiKeyData>> = {
  provisionExternal: ({ form }, now) => ({
    membershipId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0102',
    userId: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0101',
    validFrom: new Date(now).toISOString(),
    validUntil: form.get('validUntil'),
    status: 'created',
  }),
  inviteLink: (_request, now) => ({
    link: 'https://messenger.example/+invite',
    expiresAt: new Date(now + INVITE_LINK_LIFETIME_SECONDS * 1000).toISOString(),
  }),
  checkMessenger: () => ({ isActive: false, membershipId: null }),
  buyPlan: () => ({ checkoutUrl: 'https://pay.example/session/1' }),
  dropSignup: (_request, now) => ({
    signedUp: true,
    hasExistingAccount: false,
    dropSlotInfo: {
      id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0103',
      slots: 100,
      slotsUsed: 1,
      availableSlots: 99,
      startsAt: new Date(now).toISOString(),
      endsAt: null,
      isCurrentlyActive: true,
      dropNotification: null,
    },
  }),
};

/** The reference server's reading, as far as the fake service has its choices. */
export const FIRST_READING: Reading = {
  subject: (user) => user.sub,
  userId: (user) => user.sub,
  newId: randomId,
  newToken: () => randomToken(),

  authorizeChecks: [
    checks.namesKnownClient,
    checks.hasChallengeIfPublic,
    checks.hasRegisteredRedirectUri,
    checks.hasScope,
    checks.hasStateOfAllowedLength,
    checks.hasSupportedChallenge,
  ],
  tokenChecks: [
    checks.namesClient,
    checks.authenticatesClient,
    checks.namesKnownGrant,
    checks.hasFieldsOfGrant,
    checks.hasVerifierOfAllowedLength,
  ],
  authorizeResult: (fields) => fields,
  tokenPair: (fields) => ({ ...fields, unknown_field: true }),
  lists: () => true,
  membership: (membership) => membership,
  product: (product) => product,
  client: ({ clientId, name }) => ({ clientId, name }),
  revokesSuccessors: false,

  apiKeyData: API_KEY_DATA,
  unknownCommunityStatus: 403,
  period: (period) => period,
  keepsMembershipId: true,
  checkoutHostname: undefined,
  returnUrl: (successUrl) => successUrl,

  messages: FIRST_MESSAGES,
  description: (_error, description) => description,
  success: (data) => ({ success: true, data }),
  json: (body, status) => Response.json(body, { status }),
  cors: () => ({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type',
  }),
  preflightStatus: 204,
  latencyMs: 0,

  method: 'POST',
  signature: (hmac) => [...hmac].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  webhookBody: firstBody,
  order: (events) => events,
  deliveryPausesMs: [0, 20, 60, 180, 540],
  deliversTwice: false,
  sharesSecrets: false,
};

/** Returns an event in the reference server's format: `{ id, type, createdAt, data }`. */
function firstBody(event: FakeEvent, identity: IdentityReading): string {
  const { id, type, at } = event;
  const createdAt = new Date(at).toISOString();
  return JSON.stringify({ id, type, createdAt, data: dataOf(event, identity) });
}

function dataOf({ type, id, communityId, record, reservation }: FakeEvent, identity: IdentityReading) {
  const user = userOf({ record, reservation }, identity);
  if (type.startsWith('membership.')) {
    const { membership } = record ?? {};
    return {
      membership: { validUntil: null, ...membership },
      ...{ user, communityId, productId: null },
      pricingPlanId: record?.planId ?? null,
      externalOrderId: record?.orderId ?? null,
    };
  }
  return {
    paymentId: id,
    ...(record === undefined ? { reason: 'card_declined' } : { membershipId: record.membership.id }),
    ...{ user, communityId, pricingPlanId: reservation?.plan.id, amount: 900, currency: 'EUR' },
    externalId: reservation?.externalId ?? null,
    utmSource: reservation?.utmSource ?? null,
  };
}

function userOf(
  { record, reservation }: Pick<FakeEvent, 'record' | 'reservation'>,
  identity: IdentityReading,
) {
  const user = record?.user ?? reservation?.user;
  return user === undefined ? null : { sub: identity.userId(user), email: user.email };
}
