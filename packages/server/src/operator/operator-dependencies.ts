import type { Clock } from '../clock.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Stores } from '../stores/stores.js';

/** What the operator's calls work on. */
export interface OperatorDependencies {
  baseUrl: string;
  clock: Clock;
  stores: Stores;
  /** Present in sandbox mode only. */
  sandbox: Sandbox | undefined;
}
