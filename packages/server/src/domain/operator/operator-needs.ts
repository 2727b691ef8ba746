import type { ServiceNames } from '@latchkey/contract/constants';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { EndpointPolicy } from '../webhooks/endpoint/endpoint-address.js';

/** Dependencies of the operator. */
export interface OperatorNeeds {
  /** Origin of the service. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly serviceNames: ServiceNames;
  readonly db: Database;
  readonly logger: Logger;
  /** Addresses that webhooks may have. */
  readonly webhookPolicy: EndpointPolicy;
}
