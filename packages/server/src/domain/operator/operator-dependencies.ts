import type { Stores } from '../../app/stores.js';
import type { Clock } from '../../platform/clock.js';
import type { Sandbox } from '../../sandbox/sandbox.js';

/** What the operator's calls work on. */
export interface OperatorDependencies {
  baseUrl: string;
  clock: Clock;
  stores: Stores;
  /** Present in sandbox mode only. */
  sandbox: Sandbox | undefined;
}
