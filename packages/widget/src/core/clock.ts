import type { Clock } from '@latchkey/oauth';

/** The clock of the visitor's machine. */
export const systemClock: Clock = { now: () => Date.now() };
