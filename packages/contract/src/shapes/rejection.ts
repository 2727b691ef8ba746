import * as z from 'zod';
import { described, objectSchemas, sameInBoth, textSchemas, timestampSchemas } from './response-schemas.js';

/**
 * Response body of a request that was rejected before its endpoint ran (spec, "Pre-endpoint rejection body"): invalid
 * key, invalid field, missing permission or role. It has no `errorCode` and no `data`.
 */
export const rejectionSchemas = objectSchemas({
  success: sameInBoth(z.literal(false)),
  message: described(textSchemas, 'For developers, not for end users.'),
  statusCode: described(sameInBoth(z.int().min(400).max(599)), 'The HTTP status.'),
  timestamp: described(timestampSchemas, 'Time of the rejection.'),
  path: described(
    { strict: z.string().regex(/^\/[^?#]*$/, 'not a path without query'), loose: z.string() },
    'The request path, without its query.',
  ),
});
