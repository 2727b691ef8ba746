import type { ServiceNames } from '@latchkey/contract/constants';
import type { Reading } from '../reading/reading.js';
import type { FindClient } from '../state/clients.js';
import type { Clock } from '../state/clock.js';
import type { Grants } from '../state/grants.js';
import type { FakeUser } from '../state/users.js';

/** The parts of the fake service that its endpoints use. */
export interface EndpointContext {
  clock: Clock;
  names: ServiceNames;
  reading: Reading;
  findClient: FindClient;
  grants: Grants;
  /** True if the service checks no client, code or token, and answers for its visitor. */
  isUnchecked: boolean;
  /** Returns the user at the browser, who consents at once. Undefined: the user declines. */
  visitor(): FakeUser | undefined;
  /** Returns the scopes that the user grants, out of those requested. */
  granted(requested: readonly string[]): readonly string[];
}
