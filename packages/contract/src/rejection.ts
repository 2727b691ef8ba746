import * as z from 'zod';
import {
  described,
  type Emitted,
  objectViews,
  sameInBoth,
  textViews,
  timestampViews,
} from './response-views.js';

/**
 * Body of a request that was turned away before its endpoint ran (spec, "Pre-endpoint rejection body"): failed key,
 * refused field, missing permission or role. No `errorCode`, no `data`; `path` carries no query.
 */
export const rejectionViews = objectViews({
  success: sameInBoth(z.literal(false)),
  message: described(textViews, 'For developers, not for end users.'),
  statusCode: described(sameInBoth(z.int().min(400).max(599)), 'The HTTP status.'),
  timestamp: described(timestampViews, 'When the request was turned away.'),
  path: described(
    { exact: z.string().regex(/^\/[^?#]*$/, 'not a path without query'), tolerant: z.string() },
    'The request path, without its query.',
  ),
});

/** A rejection as the service emits it. */
export type Rejection = Emitted<typeof rejectionViews>;
