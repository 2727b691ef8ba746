import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { EndpointPolicy } from '../webhooks/endpoint-address.js';

/** What the operator's calls work on. */
export interface OperatorNeeds {
  baseUrl: string;
  clock: Clock;
  db: Database;
  /** Addresses that webhooks may have. */
  webhookPolicy: EndpointPolicy;
}
