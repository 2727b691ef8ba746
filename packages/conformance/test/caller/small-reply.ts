import type { Fault } from './faults.js';

/** Answer of a route: a status with a text, or a redirect. */
export type Reply = readonly [status: number, text: string, location?: string];

/** Settings of the scripted service. */
export interface SmallAppOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly faults: ReadonlySet<Fault>;
  readonly isPublic?: boolean;
}
