import * as z from 'zod';
import { described, objectSchemas, sameInBoth, textSchemas, timestampSchemas } from './response-schemas.js';

/**
 * Body of a request that was turned away before its endpoint ran (spec, "Pre-endpoint rejection body"): failed key,
 * refused field, missing permission or role. No `errorCode`, no `data`; `path` carries no query.
 */
export const rejectionSchemas = objectSchemas({
  success: sameInBoth(z.literal(false)),
  message: described(textSchemas, 'For developers, not for end users.'),
  statusCode: described(sameInBoth(z.int().min(400).max(599)), 'The HTTP status.'),
  timestamp: described(timestampSchemas, 'When the request was turned away.'),
  path: described(
    { strict: z.string().regex(/^\/[^?#]*$/, 'not a path without query'), loose: z.string() },
    'The request path, without its query.',
  ),
});
