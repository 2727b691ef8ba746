import type { ServiceNames } from '@latchkey/contract/constants';
import type { Reading } from '../reading/reading.js';
import type { FindClient } from '../state/clients.js';
import type { Clock } from '../state/clock.js';
import type { FakeEvent } from '../state/events.js';
import type { Grants } from '../state/grants.js';
import type { FakeUser } from '../state/users.js';
import type { World } from '../state/world.js';

/** The parts of the fake service that its endpoints use. */
export interface EndpointContext {
  clock: Clock;
  names: ServiceNames;
  reading: Reading;
  findClient: FindClient;
  grants: Grants;
  world: World;
  /** True if the service checks no client, code or token, and answers for its visitor. */
  isUnchecked: boolean;
  /** Returns the address of the service. */
  baseUrl(): string;
  /** Sends the events of one change to the registered endpoints, without waiting for them. */
  emit(...events: readonly NewEvent[]): void;
  /** Returns the user at the browser, who consents at once. Undefined: the user declines. */
  visitor(): FakeUser | undefined;
  /** Returns the scopes that the user grants, out of those requested. */
  granted(requested: readonly string[]): readonly string[];
}

/** An event without its id and its time. */
export type NewEvent = Omit<FakeEvent, 'id' | 'at'>;
