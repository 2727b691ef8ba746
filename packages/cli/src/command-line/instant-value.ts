import { parseTimestamp } from '@latchkey/contract/constants';
import { instantField } from '@latchkey/server/schemas';
import { parsedText } from './values.js';

/** An ISO-8601 date or time, in milliseconds since the epoch. */
export const instant = parsedText(
  parseTimestamp,
  'must be an ISO-8601 time such as 2027-01-31T12:00:00Z',
).pipe(instantField);
