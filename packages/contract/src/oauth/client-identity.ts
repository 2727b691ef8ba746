import * as z from 'zod';
import { envelopeViews } from '../envelope.js';
import {
  booleanViews,
  type Emitted,
  objectViews,
  optionalViews,
  type Received,
  textViews,
} from '../response-views.js';

/** What anyone may know about a client (spec, "OAuth client public identity"). Unset keys are left out, never null. */
export const clientIdentityViews = objectViews({
  clientId: { exact: z.string().regex(/^oac_[0-9a-f]{24}$/, 'not a client id'), tolerant: z.string().min(1) },
  name: textViews,
  description: optionalViews(textViews),
  logoUrl: optionalViews({ exact: z.url(), tolerant: z.string() }),
  /** Whether the origin sent as `widget_origin` may receive the client's code; absent when none was sent. */
  widgetOriginAllowed: optionalViews(booleanViews),
});

/** Answer of `GET /oauth/client/{clientId}`. */
export const clientIdentityResponseViews = envelopeViews(clientIdentityViews);

/** Path of `GET /oauth/client/{clientId}`. Any text passes: an id that no client has is 404, not 400. */
export const clientIdentityPath = z.object({ clientId: z.string().min(1) });

/**
 * Query of `GET /oauth/client/{clientId}`. Any text passes: an origin that cannot be read is not allowed, which is an
 * answer, not an error.
 */
export const clientIdentityQuery = z.object({ widget_origin: z.string().optional() });

/** A client's public identity as the service emits it. */
export type ClientIdentity = Emitted<typeof clientIdentityViews>;

/** A client's public identity as a caller reads it. */
export type ReceivedClientIdentity = Received<typeof clientIdentityViews>;
