import * as z from 'zod';
import { envelopeSchemas, traceFields } from '../envelope.js';
import { externalIdField } from '../request-fields.js';
import { described, objectSchemas, timestampSchemas } from '../response-schemas.js';

/** Path of the invite-link endpoint: the `externalId` sent to buy-plan. */
export const inviteLinkPath = z.object({
  externalId: externalIdField.describe(
    'The `externalId` sent to buy-plan, not the `externalOrderId` of a provisioning. Percent-encode it.',
  ),
});

/** A fresh invite link (spec, "Invite link result"); it expires 24 hours after the call. */
export const inviteLinkSchemas = objectSchemas({
  link: described(
    { strict: z.url(), loose: z.string().min(1) },
    "The invite URL. Only the buyer's own messenger account is let in with it.",
  ),
  expiresAt: described(timestampSchemas, '24 hours after the call. Do not keep the link past it.'),
});

/** The 200 that is a failure: the community has no messenger bot, so there is no link (`data` is null). */
const noMessengerBot = z.strictObject({
  success: z.literal(false),
  data: z.null(),
  message: z.string().min(1),
  ...traceFields,
});

const linkEnvelope = envelopeSchemas(inviteLinkSchemas);

/** Answer of the invite-link endpoint with status 200: a link, or `success` false for want of a bot. */
export const inviteLinkResponseSchemas = {
  strict: z.union([linkEnvelope.strict, noMessengerBot]),
  loose: linkEnvelope.loose,
};
