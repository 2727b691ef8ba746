import * as z from 'zod';
import { envelopeSchemas, traceFields } from '../shapes/envelope.js';
import { UTM_SOURCE_MAX_LENGTH } from '../shapes/limits.js';
import {
  emailField,
  externalIdField,
  limitedTextField,
  uuidField,
  webUrlField,
} from '../shapes/request-fields.js';
import {
  described,
  dispensableSchemas,
  objectSchemas,
  timestampSchemas,
} from '../shapes/response-schemas.js';

/**
 * Request body of `POST /api/checkout/buy-plan`. Validation accepts a missing `email`: the endpoint reports it in a 201
 * (spec, rule 2).
 */
export const buyPlanBody = z.object({
  pricingPlanId: uuidField.describe('The plan to buy.'),
  communityId: uuidField.describe('The community that the plan belongs to.'),
  externalId: externalIdField.describe('Your identifier for the buyer. Use it to request the invite link.'),
  email: emailField
    .optional()
    .describe(
      'Required: without it the response is a 201 with `success` false. The checkout is bound to the user with this address, who is created if missing.',
    ),
  successUrl: webUrlField.describe('URL for the buyer after the payment; http or https.'),
  cancelUrl: webUrlField.describe('URL for the buyer who cancels; http or https.'),
  utmSource: limitedTextField(UTM_SOURCE_MAX_LENGTH).optional().describe('Appears in purchase reports.'),
});

/** Type of a request body. Unlike the schema, it requires `email`. */
export type BuyPlanRequest = z.input<typeof buyPlanBody> & { email: string };

/** A hosted checkout session (spec, "Checkout session result"). */
export const checkoutSessionSchemas = objectSchemas({
  checkoutUrl: described(
    { strict: z.url(), loose: z.string().min(1) },
    'URL of the hosted payment page. Redirect to it unchanged; its host depends on the payment provider.',
  ),
});

/** A 201 that reports a failure: `email` is missing, so there is no session. It has no `errorCode`. */
const missingEmail = z.strictObject({
  success: z.literal(false),
  message: z.string().min(1),
  ...traceFields,
});

const sessionOrUnknownPlan = envelopeSchemas({
  strict: z.union([checkoutSessionSchemas.strict, z.strictObject({})]),
  // Optional: if it's missing, the call failed, and the type makes callers check that.
  loose: checkoutSessionSchemas.loose.partial(),
});

/** The 201 of buy-plan: a session, empty `data` for an unknown plan, or `success` false without an `email`. */
export const buyPlanResponseSchemas = {
  strict: z.union([sessionOrUnknownPlan.strict, missingEmail]),
  loose: sessionOrUnknownPlan.loose,
};

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
