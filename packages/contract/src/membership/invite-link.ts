import * as z from 'zod';
import { envelopeSchemas, traceFields } from '../shapes/envelope.js';
import { externalIdField } from '../shapes/request-fields.js';
import {
  described,
  dispensableSchemas,
  objectSchemas,
  timestampSchemas,
} from '../shapes/response-schemas.js';

/** Path parameters of the invite-link endpoint. */
export const inviteLinkPath = z.object({
  externalId: externalIdField.describe(
    'The `externalId` of the buy-plan request, not the `externalOrderId` of a provisioning. Percent-encode it.',
  ),
});

/** A new invite link (spec, "Invite link result"). */
export const inviteLinkSchemas = objectSchemas({
  link: described(
    { strict: z.url(), loose: z.string().min(1) },
    "The invite URL. It admits only the buyer's own messenger account.",
  ),
  expiresAt: described(
    dispensableSchemas(timestampSchemas),
    '24 hours after the call. Do not cache the link beyond this time.',
  ),
});

/** A 200 that reports a failure: the community has no messenger bot, so `data` is null. */
const noMessengerBot = z.strictObject({
  success: z.literal(false),
  data: z.null(),
  message: z.string().min(1),
  ...traceFields,
});

const linkEnvelope = envelopeSchemas(inviteLinkSchemas);

/** The 200 of the invite-link endpoint: a link, or `success` false without a messenger bot. */
export const inviteLinkResponseSchemas = {
  strict: z.union([linkEnvelope.strict, noMessengerBot]),
  loose: linkEnvelope.loose,
};
