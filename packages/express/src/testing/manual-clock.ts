import { type Clock, systemClock } from '../clock.js';
import { refuseInProduction } from './refuse-in-production.js';

/** A clock that stands still until it is moved; give it to `latchkey({ clock })`. */
export interface ManualClock extends Clock {
  /** Moves the clock forward, in milliseconds. */
  advance(milliseconds: number): void;
  /** Sets the clock, in milliseconds since the epoch. */
  set(milliseconds: number): void;
}

/** Makes a clock that shows `startMs`, in milliseconds since the epoch, until it is moved. Default: the machine's time. */
export function manualClock(startMs: number = systemClock.now()): ManualClock {
  refuseInProduction('manualClock');
  let now = startMs;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (milliseconds) => {
      now = milliseconds;
    },
  };
}
