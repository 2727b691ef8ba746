import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import type { Sandbox } from '../../sandbox/sandbox.js';

/** What the operator's calls work on. */
export interface OperatorNeeds {
  baseUrl: string;
  clock: Clock;
  db: Database;
  /** Present in sandbox mode only. */
  sandbox: Sandbox | undefined;
}
