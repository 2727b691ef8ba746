import { randomToken } from '../state/grants.js';
import { derivedId, timeOrderedId } from '../state/ids.js';
import type { IdentityReading } from './reading.js';

export const SECOND_IDENTITY: IdentityReading = {
  /**
   * "Stable user identifier" (specification, "User identity"): stable for each client. Nothing states that two clients
   * receive the same one.
   */
  subject: ({ sub }, clientId) => derivedId(`sub ${sub} ${clientId}`),
  /**
   * "The user matched or created" (specification, "Provisioned membership result"). Nothing states that it equals `sub`,
   * and a UUID has any letter case.
   */
  userId: ({ sub }) => derivedId(`user ${sub}`).toUpperCase(),
  /** "`uuid` is a UUID string" (specification, "Resources and their fields"): of any version. */
  newId: timeOrderedId,
  /** "Opaque random strings that clients must not parse" (same place): long, and with every character of a bearer token. */
  newToken: (kind) => `${kind}.~+/${randomToken(96)}==`,
};
