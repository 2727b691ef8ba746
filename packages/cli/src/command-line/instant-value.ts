import { parseTimestamp } from '@latchkey/contract/constants';
import { instantField } from '@latchkey/server/schemas';
import * as z from 'zod';

/** An ISO-8601 date or time, in milliseconds since the epoch. */
export const instant = z
  .string()
  .transform((text, context) => {
    const ms = parseTimestamp(text);
    if (ms !== undefined) return ms;
    context.addIssue({
      code: 'custom',
      message: 'must be an ISO-8601 time such as 2027-01-31T12:00:00Z',
      input: text,
    });
    return z.NEVER;
  })
  .pipe(instantField);
