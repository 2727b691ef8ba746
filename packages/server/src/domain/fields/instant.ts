import { formatTimestamp } from '@latchkey/contract/constants';
import * as z from 'zod';

/** Instant in milliseconds since the epoch that the API can write as a timestamp. */
export const instantField = z
  .number('Enter a day and a time.')
  .refine(isWritable, 'Enter whole milliseconds since the epoch, within the years 0000 to 9999.');

/** Message of a window whose end is not after its start. */
export const END_BEFORE_START = 'Enter an end after the start.';

/** True if the window is not empty. A null end means that the window never ends. */
export function endsAfterStart(start: number, end: number | null): boolean {
  return end === null || end > start;
}

function isWritable(ms: number): boolean {
  try {
    formatTimestamp(ms);
    return true;
  } catch {
    return false;
  }
}
