import {
  type EndpointName,
  INVITE_LINK_LIFETIME_SECONDS,
  type WebhookEventType,
} from '@latchkey/contract/constants';
import { type FakeClient, type NewToken, randomToken } from './grants.js';
import type { FakeRequest, RecordedRequest } from './request.js';
import type { AuthorizeCheck, TokenCheck } from './request-checks.js';
import * as checks from './request-checks.js';
import {
  type FakeMembership,
  type FakeProduct,
  type FakeUser,
  type MembershipRecord,
  type NewId,
  type Period,
  type Reservation,
  randomId,
  type World,
} from './world.js';

/** The choices for ids and tokens. */
export interface IdentityReading {
  /** Returns the `sub` of a user for one client. */
  subject(user: FakeUser, clientId: string): string;
  /** Returns the id of a user in provisioning results and events. */
  userId(user: FakeUser): string;
  newId: NewId;
  newToken: NewToken;
}

/**
 * The choices that the specification leaves to the service. The endpoints take every such choice from this table:
 * another permitted reading of the specification is another table.
 */
export interface Reading extends IdentityReading {
  // The OAuth endpoints.
  /** The checks of an authorization request, in order. The first error is the response. */
  authorizeChecks: readonly AuthorizeCheck[];
  /** The checks of a token request, in order. The first error is the response. */
  tokenChecks: readonly TokenCheck[];
  /** Returns the parameters of the redirect after an authorization request, in order. */
  authorizeResult(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Returns a token pair as it appears in a response, given the fields of the specification. */
  tokenPair(fields: {
    access_token: string;
    refresh_token: string;
    token_type: 'Bearer';
    expires_in: number;
    scope: string;
  }): object;
  /** True if a client's list contains a membership. The record is undefined if a test has put it into the list. */
  lists(
    record: MembershipRecord | undefined,
    context: { client: FakeClient | undefined; world: World; now: number },
  ): boolean;
  membership(membership: FakeMembership, record: MembershipRecord | undefined): FakeMembership;
  product(product: FakeProduct): object;
  /** Returns the public identity of a client, before `widgetOriginAllowed`. */
  client(client: FakeClient): object;
  /** True if using a refresh token again revokes the pair that replaced it. */
  revokesSuccessors: boolean;

  // The API-key endpoints and the checkout.
  /** Fixed successes, for a service without communities. */
  apiKeyData: Readonly<Record<ApiKeyEndpointName, ApiKeyData>>;
  unknownCommunityStatus: 403 | 404;
  /** Returns the times of a membership, given its times by the clock. */
  period(period: Period): Period;
  /** True if an extension keeps the id of the membership. */
  keepsMembershipId: boolean;
  /** Host of checkout pages. Undefined means the service's host. */
  checkoutHostname: string | undefined;
  /** Returns the URL where a buyer returns after the payment. */
  returnUrl(successUrl: string, reservation: Reservation): string;

  // The format of responses.
  messages: Messages;
  description(error: string, description: string): string;
  success(data: object): object;
  json(body: object, status: number): Response;
  cors(request: RecordedRequest): Readonly<Record<string, string>>;
  preflightStatus: 200 | 204;
  /** How long the service waits before it processes a request, in milliseconds. */
  latencyMs: number;

  // Events.
  method: 'POST' | 'PUT';
  signature(hmac: Uint8Array): string;
  /** Returns the raw body of an event, which can be empty. */
  webhookBody(event: FakeEvent, identity: IdentityReading): string;
  /** Returns the events of one change in the order of their delivery. */
  order(events: readonly FakeEvent[]): readonly FakeEvent[];
  /** Milliseconds before the first attempt, and then before each further one. */
  deliveryPausesMs: readonly number[];
  /** Attempts after a success. Receivers deduplicate on the event id. */
  deliversTwice: boolean;
  /** Whether a webhook receives all communities' events, or only its own. */
  sharesSecrets: boolean;
}

export type ApiKeyEndpointName = Extract<
  EndpointName,
  'provisionExternal' | 'inviteLink' | 'checkMessenger' | 'buyPlan' | 'dropSignup'
>;

/** Returns the `data` of a success, or another response. `now` is the service's time. */
export type ApiKeyData = (request: FakeRequest, now: number) => object | Response;

/** An event, before a reading turns it into a delivery. */
export interface FakeEvent {
  id: string;
  type: WebhookEventType;
  /** Milliseconds since the epoch. */
  at: number;
  communityId: string;
  /** Undefined for a payment that failed. */
  record: MembershipRecord | undefined;
  /** Set for payments. */
  reservation: Reservation | undefined;
}

/** An integrator's endpoint that receives a community's events. */
export interface FakeWebhook {
  url: string;
  /** 64 hex characters. */
  secret: string;
  communityId: string;
}

/** One attempt to deliver an event. */
export interface FakeDelivery {
  eventId: string;
  type: WebhookEventType;
  communityId: string;
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Status of the response. Undefined until the receiver has responded, or if it never does. */
  status: number | undefined;
}

/** Messages of failures at the API-key endpoints. */
const FIRST_MESSAGES = {
  keyRejected: 'The API key is missing or malformed.',
  missingRole: 'The key owner is not OWNER or ADMIN of the community.',
  missingPermission: 'The API key lacks a permission.',
  unknownCommunity: 'No such community.',
  invalidField: (name: string) => `${name} is missing or malformed.`,
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

export type Messages = Readonly<typeof FIRST_MESSAGES>;

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
