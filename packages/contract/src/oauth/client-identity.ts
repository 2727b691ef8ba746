import * as z from 'zod';
import { envelopeSchemas } from '../envelope.js';
import {
  booleanSchemas,
  described,
  type Emitted,
  objectSchemas,
  optionalSchemas,
  textSchemas,
} from '../response-schemas.js';

/** What anyone may know about a client (spec, "OAuth client public identity"). Unset keys are left out, never null. */
export const clientIdentitySchemas = objectSchemas({
  clientId: described(
    { strict: z.string().regex(/^oac_[0-9a-f]{24}$/, 'not a client id'), loose: z.string().min(1) },
    'The client that was asked about.',
  ),
  name: described(textSchemas, 'Name of the application.'),
  description: described(optionalSchemas(textSchemas), 'What the application is; left out when unset.'),
  logoUrl: described(
    optionalSchemas({ strict: z.url(), loose: z.string() }),
    'Its logo; left out when unset.',
  ),
  widgetOriginAllowed: described(
    optionalSchemas(booleanSchemas),
    "Whether the origin sent as `widget_origin` may receive the client's code; absent when none was sent.",
  ),
});

/** Answer of `GET /oauth/client/{clientId}`. */
export const clientIdentityResponseSchemas = envelopeSchemas(clientIdentitySchemas);

/** Path of `GET /oauth/client/{clientId}`. Any text passes: an id that no client has is 404, not 400. */
export const clientIdentityPath = z.object({
  clientId: z.string().min(1).describe('The client that is asked about.'),
});

/**
 * Query of `GET /oauth/client/{clientId}`. Any text passes: an origin that cannot be read is not allowed, which is an
 * answer, not an error.
 */
export const clientIdentityQuery = z.object({
  widget_origin: z
    .string()
    .optional()
    .describe(
      "Browser origin that asks to receive the client's authorization code. Sent only by the login widget's callback.",
    ),
});

/** A client's public identity as the service emits it. */
export type ClientIdentity = Emitted<typeof clientIdentitySchemas>;
