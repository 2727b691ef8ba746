import type { Endpoints } from '@latchkey/contract';
import type { ServiceNames } from '@latchkey/contract/constants';
import type { Database } from '../../../platform/database/open-database.js';

/** Dependencies of every endpoint that takes an API key. */
export interface ApiKeyNeeds {
  /** The contract's endpoints under the names of the service. */
  readonly endpoints: Endpoints;
  readonly serviceNames: ServiceNames;
  readonly logUrl: string | undefined;
  readonly db: Database;
}
