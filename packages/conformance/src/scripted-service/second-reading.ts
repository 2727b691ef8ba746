import { UUID } from '@latchkey/contract/constants';
import { randomToken } from './grants.js';
import {
  API_KEY_DATA,
  type FakeEvent,
  type IdentityReading,
  type Messages,
  type Reading,
} from './reading.js';
import * as checks from './request-checks.js';
import { DEFAULT_OWNER, derivedId, timeOrderedId } from './world.js';

/** Endpoints that the login widget calls from a browser. Authorize is a navigation. */
const BROWSER_PATHS = /^\/oauth\/(token|revoke|userinfo|memberships|products|client\/[^/]+)$/;

/**
 * Unknown fields with repeated names. "Clients must ignore unknown response fields" (specification, "Versioning"), and
 * JSON permits repeated names.
 */
const UNKNOWN_FIELDS = '"x_region":"eu","x_region":["eu",null],"_links":{"self":{"href":"/"}}';

/**
 * Other messages. "Human-readable text … Intended for developers" (specification, "Response envelope"): the
 * specification fixes the meaning of some, but never the words.
 */
const SECOND_MESSAGES: Messages = {
  keyRejected: 'Unauthorized',
  missingRole: 'Forbidden resource',
  missingPermission: 'Forbidden resource',
  unknownCommunity: 'Community could not be located',
  invalidField: (name) => `Validation failed (property "${name}")`,
  overlap: 'Conflict: membership still running',
  subscription: 'Conflict: managed elsewhere',
  notProcessed: 'Your membership is still to be processed, please retry',
  notAMember: 'This person does not belong to the community',
  noBot: 'Bot setup is incomplete for this community',
  missingEmail: 'An address is needed',
  noDrop: 'Nothing upcoming',
  signedUpBefore: 'Duplicate',
  noSuchClient: 'Application could not be located',
};

/** A reading that the specification also permits, and that differs from the first one wherever it can. */
export const SECOND_READING: Reading = {
  /**
   * "Stable user identifier" (specification, "User identity"): stable for each client. Nothing says that two clients
   * receive the same one.
   */
  subject: ({ sub }, clientId) => derivedId(`sub ${sub} ${clientId}`),
  /**
   * "The user matched or created" (specification, "Provisioned membership result"). Nothing says that it equals `sub`,
   * and a UUID can be in any case.
   */
  userId: ({ sub }) => derivedId(`user ${sub}`).toUpperCase(),
  /** "`uuid` is a UUID string" (specification, "Resources and their fields"): of any version. */
  newId: timeOrderedId,
  /** "Opaque random strings that clients must not parse" (same place): long, and with every character of a bearer token. */
  newToken: (kind) => `${kind}.~+/${randomToken(96)}==`,

  /** Only one order is fixed: the challenge of a public client before the redirect URI ("GET /oauth/authorize"). */
  authorizeChecks: [
    checks.hasStateOfAllowedLength,
    checks.hasScope,
    checks.hasSupportedChallenge,
    checks.namesKnownClient,
    checks.hasChallengeIfPublic,
    checks.hasRegisteredRedirectUri,
  ],
  /** No order is fixed ("POST /oauth/token"). */
  tokenChecks: [
    checks.namesKnownGrant,
    checks.hasFieldsOfGrant,
    checks.hasVerifierOfAllowedLength,
    checks.namesClient,
    checks.authenticatesClient,
  ],
  /** "302 to `redirect_uri` with query `code` and `state`" ("GET /oauth/authorize"): in any order. */
  authorizeResult: (fields) => Object.fromEntries(Object.entries(fields).reverse()),
  /**
   * Another order of the fields and of the "space-separated granted scopes" ("Token pair"). RFC 6749, 7.1, compares the
   * type `bearer` case-insensitively.
   */
  tokenPair: ({ access_token, refresh_token, expires_in, scope }) => ({
    scope: scope.split(' ').reverse().join(' '),
    ...{ expires_in, refresh_token, access_token },
    token_type: 'bearer',
  }),
  /**
   * Lists only memberships in communities of the client's owner. "Only currently active memberships" ("GET
   * /oauth/memberships") leaves open whether other sellers' are listed.
   */
  lists: (record, { client, world }) =>
    record === undefined ||
    world.findCommunity(record.communityId)?.ownerId === (client?.ownerId ?? DEFAULT_OWNER),
  /** `id` is a UUID in any case. `validUntil` is "absent or null for lifetime access" ("Membership"). */
  membership: ({ id, validUntil, ...fields }) => ({
    ...fields,
    ...(validUntil ? { validUntil } : {}),
    // Tests also use ids in other formats.
    id: UUID.test(id) ? id.toUpperCase() : id,
    renews: null,
  }),
  /** "Clients must ignore unknown response fields" ("Versioning"). */
  product: (product) => ({ price: { amount: 1 }, ...product }),
  /** Keys that the first reading leaves unset ("OAuth client public identity"). */
  client: ({ clientId, name }) => ({
    logoUrl: 'https://images.example/logo.png',
    description: 'Sells roasting courses.',
    ...{ name, clientId },
  }),
  /** "Nothing else happens (no cascade revocation)" ("OAuth credentials"). */
  revokesSuccessors: false,

  apiKeyData: {
    ...API_KEY_DATA,
    /** `dropNotification` is null or an object, and `userHasNotification` is "sometimes present" ("Drop signup result"). */
    dropSignup: (request, now) => ({
      signedUp: true,
      hasExistingAccount: false,
      dropSlotInfo: {
        id: 'drop-7',
        slots: null,
        slotsUsed: 0,
        availableSlots: null,
        startsAt: new Date(now + 3_600_000).toISOString(),
        endsAt: new Date(now + 7_200_000).toISOString(),
        isCurrentlyActive: false,
        dropNotification: { id: derivedId(request.body) },
        userHasNotification: true,
      },
    }),
    /** UUIDs in upper case ("Resources and their fields": "a UUID string"). */
    provisionExternal: (request, now) => ({
      membershipId: derivedId(request.body).toUpperCase(),
      userId: derivedId('user').toUpperCase(),
      validFrom: new Date(now).toISOString(),
      validUntil: request.form.get('validUntil'),
      status: 'created',
    }),
  },
  /** 404: "Addressed resource absent (community, …)" ("Status codes"). */
  unknownCommunityStatus: 404,
  period: (period) => period,
  keepsMembershipId: true,
  /** "Its host depends on the plan's payment provider" ("Checkout session result"). */
  checkoutHostname: 'localhost',
  /** "Where to send the buyer after completed payment" ("POST /api/checkout/buy-plan"), with the provider's parameters. */
  returnUrl(successUrl, { id }) {
    const url = new URL(successUrl);
    url.searchParams.append('session_id', id);
    url.searchParams.append('redirect_status', 'succeeded');
    return url.href;
  },

  messages: SECOND_MESSAGES,
  /** The specification only gives examples of descriptions ("OAuth errors"). */
  description: (error) => `Request declined: ${error.replaceAll('_', ' ')}`,
  /** "Treat every envelope key as optional" ("Versioning"): a success without `success`. */
  success: (data) => ({ data }),
  /** "All traffic is JSON" ("General facts"): the parameters of the content type are open. */
  json: (body, status) =>
    new Response(withUnknownFields(JSON.stringify(body)), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    }),
  /** CORS isn't described. A browser only needs it at the widget's endpoints ("General facts", 4 and 5). */
  cors({ path, headers: { origin } }): Readonly<Record<string, string>> {
    if (!BROWSER_PATHS.test(path) || origin === undefined) return {};
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-allow-methods': 'GET, POST',
      vary: 'Origin',
    };
  },
  preflightStatus: 200,
  /** No response time is described. */
  latencyMs: 4,

  /** The method of a delivery isn't described ("Events"). */
  method: 'PUT',
  /** "Signature output encoding … not shown" ("Events", 7). */
  signature: (hmac) => `sha256=${btoa(String.fromCharCode(...hmac))}`,
  webhookBody: secondBody,
  /** "Which operation emits which event: not shown" ("Events", 8), and neither is an order. */
  order: (events) => [...events].reverse(),
  /** "Redelivery policy: not shown" ("Events", 7). */
  deliveryPausesMs: [15, 40, 40, 40, 40, 40],
  /** "Deduplicate on this" ("Events", 3): one event can arrive more than once. */
  deliversTwice: true,
  sharesSecrets: false,
};

/** Inserts {@link UNKNOWN_FIELDS} into the JSON of an object. */
function withUnknownFields(text: string): string {
  return text === '{}' ? `{${UNKNOWN_FIELDS}}` : `{${UNKNOWN_FIELDS},${text.slice(1)}`;
}

/** "Body envelope and payload fields of each event: not shown" ("Events", 6). One type has no body at all. */
function secondBody(event: FakeEvent, identity: IdentityReading): string {
  const { type, at, communityId, record, reservation } = event;
  if (type === 'membership.updated') return '';
  const user = record?.user ?? reservation?.user;
  const object = {
    community_id: communityId.toUpperCase(),
    user_id: user === undefined ? null : identity.userId(user),
    ...(record === undefined ? {} : { membership_id: record.membership.id.toUpperCase() }),
    pricing_plan_id: record?.planId ?? reservation?.plan.id ?? null,
    ...(reservation === undefined
      ? { external_order_id: record?.orderId ?? null }
      : { external_id: reservation.externalId, utm_source: reservation.utmSource }),
    occurred_at: Math.floor(at / 1000),
  };
  return JSON.stringify({ event: type, object }, null, 1);
}
