import type { FakeMembership, FakeProduct, FakeUser } from '../state/users.js';
import { API_KEY_DATA, type ApiKeyData, type ApiKeyEndpointName } from './api-key-data.js';
import {
  type AuthorizeCheck,
  hasChallengeIfPublic,
  hasRegisteredRedirectUri,
  hasScope,
  hasStateOfAllowedLength,
  hasSupportedChallenge,
  namesKnownClient,
} from './authorize-checks.js';
import type { ReadingName, ReadingSettings } from './settings.js';
import {
  authenticatesClient,
  hasFieldsOfGrant,
  hasVerifierOfAllowedLength,
  namesClient,
  namesKnownGrant,
  type TokenCheck,
} from './token-checks.js';

/**
 * The choices that the specification leaves to the service. The endpoints take every such choice from this table, so
 * another permitted reading of the specification is another table.
 */
export interface Reading {
  /** The checks of an authorization request, in order. The first error is the response. */
  authorizeChecks: readonly AuthorizeCheck[];
  /** The checks of a token request, in order. The first error is the response. */
  tokenChecks: readonly TokenCheck[];
  /** Returns the `sub` of a user for one client. */
  subject(user: FakeUser, clientId: string): string;
  /** Returns a token pair as it appears in a response, given the fields of the specification. */
  tokenPair(fields: object): object;
  /** Returns a membership as it appears in a response. */
  membership(membership: FakeMembership): object;
  /** Returns a product as it appears in a response. */
  product(product: FakeProduct): object;
  /** The successes of the API-key endpoints. */
  apiKeyData: Readonly<Record<ApiKeyEndpointName, ApiKeyData>>;
}

export const FIRST_READING: Reading = {
  authorizeChecks: [
    namesKnownClient,
    hasChallengeIfPublic,
    hasRegisteredRedirectUri,
    hasScope,
    hasStateOfAllowedLength,
    hasSupportedChallenge,
  ],
  tokenChecks: [
    namesClient,
    authenticatesClient,
    namesKnownGrant,
    hasFieldsOfGrant,
    hasVerifierOfAllowedLength,
  ],
  subject: (user) => user.sub,
  tokenPair: (fields) => ({ ...fields, unknown_field: true }),
  membership: (membership) => membership,
  product: (product) => product,
  apiKeyData: API_KEY_DATA,
};

/** The second reading. Every choice is permitted by the specification, and differs from the first one. */
export const SECOND_READING: Reading = { ...FIRST_READING };

const BY_NAME: Readonly<Record<ReadingName, Reading>> = { first: FIRST_READING, second: SECOND_READING };

/** Returns the reading of a service, changed so that it acts against an assumption of the callers. */
export function readingOf({ reading }: ReadingSettings): Reading {
  return BY_NAME[reading];
}
