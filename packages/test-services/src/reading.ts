import {
  type AuthorizeCheck,
  hasChallengeIfPublic,
  hasRegisteredRedirectUri,
  hasScope,
  hasStateOfAllowedLength,
  hasSupportedChallenge,
  namesKnownClient,
} from './authorize-checks.js';
import {
  authenticatesClient,
  hasFieldsOfGrant,
  hasVerifierOfAllowedLength,
  namesClient,
  namesKnownGrant,
  type TokenCheck,
} from './token-checks.js';
import type { FakeMembership, FakeUser } from './users.js';

/**
 * The choices that the specification leaves to the service. The endpoints take every such choice from this table, so
 * another permitted reading of the specification is another table.
 */
export interface Reading {
  /** The checks of an authorization request, in order. The first error is the response. */
  authorizeChecks: readonly AuthorizeCheck[];
  /** The checks of a token request, in order. The first error is the response. */
  tokenChecks: readonly TokenCheck[];
  /** Fields of a token pair that the specification does not name. */
  tokenPairExtras: Readonly<Record<string, unknown>>;
  /** Returns the `sub` of a user for one client. */
  subject(user: FakeUser, clientId: string): string;
  /** Returns a membership as it appears in a response. */
  membership(membership: FakeMembership): object;
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
  tokenPairExtras: { unknown_field: true },
  subject: (user) => user.sub,
  membership: (membership) => membership,
};
