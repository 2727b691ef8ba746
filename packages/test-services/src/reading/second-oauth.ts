import { DEFAULT_OWNER } from '../state/world.js';
import {
  hasChallengeIfPublic,
  hasRegisteredRedirectUri,
  hasScope,
  hasStateOfAllowedLength,
  hasSupportedChallenge,
  namesKnownClient,
} from './authorize-checks.js';
import type { OAuthReading } from './reading.js';
import {
  authenticatesClient,
  hasFieldsOfGrant,
  hasVerifierOfAllowedLength,
  namesClient,
  namesKnownGrant,
} from './token-checks.js';

/** Tests also use ids of other forms, which stay as they are. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const SECOND_OAUTH: OAuthReading = {
  /** Only one order is fixed: the challenge of a public client before the redirect URI ("GET /oauth/authorize"). */
  authorizeChecks: [
    hasStateOfAllowedLength,
    hasScope,
    hasSupportedChallenge,
    namesKnownClient,
    hasChallengeIfPublic,
    hasRegisteredRedirectUri,
  ],
  /** No order is fixed ("POST /oauth/token"). */
  tokenChecks: [
    namesKnownGrant,
    hasFieldsOfGrant,
    hasVerifierOfAllowedLength,
    namesClient,
    authenticatesClient,
  ],
  /** "302 to `redirect_uri` with query `code` and `state`" ("GET /oauth/authorize"): in any order. */
  authorizeResult: (fields) => Object.fromEntries(Object.entries(fields).reverse()),
  /**
   * Other order of the fields and of the "space-separated granted scopes" ("Token pair"). The type `bearer` is that of
   * RFC 6749, 7.1, which compares it without letter case.
   */
  tokenPair: ({ access_token, refresh_token, expires_in, scope }) => ({
    scope: scope.split(' ').reverse().join(' '),
    ...{ expires_in, refresh_token, access_token },
    token_type: 'bearer',
  }),
  /**
   * Lists the memberships in communities of the client's owner only. "Only currently active memberships" ("GET
   * /oauth/memberships") leaves open if those of other sellers are listed.
   */
  lists: (record, { client, world }) =>
    record === undefined ||
    world.findCommunity(record.communityId)?.ownerId === (client?.ownerId ?? DEFAULT_OWNER),
  /** `id` is a UUID in any letter case. `validUntil` is "absent or null for lifetime access" ("Membership"). */
  membership: ({ id, validUntil, ...fields }) => ({
    ...fields,
    ...(validUntil ? { validUntil } : {}),
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
};
