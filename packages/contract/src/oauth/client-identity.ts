import * as z from 'zod';
import { envelopeSchemas } from '../shapes/envelope.js';
import {
  booleanSchemas,
  described,
  type Emitted,
  objectSchemas,
  optionalSchemas,
  textSchemas,
} from '../shapes/response-schemas.js';

/** Public description of a client (spec, "OAuth client public identity"). Values that are not set are absent. */
export const clientIdentitySchemas = objectSchemas({
  clientId: described(
    { strict: z.string().regex(/^oac_[0-9a-f]{24}$/, 'not a client id'), loose: z.string().min(1) },
    'Id of the client.',
  ),
  name: described(textSchemas, 'Name of the application.'),
  description: described(optionalSchemas(textSchemas), 'Description of the application. Absent if not set.'),
  logoUrl: described(
    optionalSchemas({ strict: z.url(), loose: z.string() }),
    'URL of its logo. Absent if not set.',
  ),
  widgetOriginAllowed: described(
    optionalSchemas(booleanSchemas),
    "True if the origin in `widget_origin` may receive the client's code. Absent without a `widget_origin`.",
  ),
});

/** Response of `GET /oauth/client/{clientId}`. */
export const clientIdentityResponseSchemas = envelopeSchemas(clientIdentitySchemas);

/** Path parameters of `GET /oauth/client/{clientId}`. Any text is valid: an unknown id is a 404, not a 400. */
export const clientIdentityPath = z.object({
  clientId: z.string().min(1).describe('Id of the client.'),
});

/**
 * Query of `GET /oauth/client/{clientId}`. Any text is valid: for a malformed origin the result is `false`, not an
 * error.
 */
export const clientIdentityQuery = z.object({
  widget_origin: z
    .string()
    .optional()
    .describe(
      "Browser origin that is to receive the client's authorization code. Only the login widget's callback sends it.",
    ),
});

export type ClientIdentity = Emitted<typeof clientIdentitySchemas>;
