import * as z from 'zod';
import { envelopeSchemas, traceFields } from '../envelope.js';
import { UTM_SOURCE_MAX_LENGTH } from '../limits.js';
import { emailField, externalIdField, limitedTextField, uuidField, webUrlField } from '../request-fields.js';
import { described, objectSchemas } from '../response-schemas.js';

/**
 * Body of `POST /api/checkout/buy-plan`. `email` passes validation when it is left out, because the endpoint reports
 * that inside a 201 (spec, rule 2); when sent it must be an address.
 */
export const buyPlanBody = z.object({
  pricingPlanId: uuidField.describe('The plan to buy.'),
  communityId: uuidField.describe('The community that the plan belongs to.'),
  externalId: externalIdField.describe(
    'Your identifier for the buyer. The invite link is asked for with it later.',
  ),
  email: emailField
    .optional()
    .describe(
      'Required: without it the answer is a 201 with `success` false. It is the identity that the checkout is bound to, not a pre-fill.',
    ),
  successUrl: webUrlField.describe('Where to send the buyer after completed payment; http or https.'),
  cancelUrl: webUrlField.describe('Where to send the buyer after abandoning; http or https.'),
  utmSource: limitedTextField(UTM_SOURCE_MAX_LENGTH).optional().describe('Shown in purchase reporting.'),
});

/** Body as a caller writes it: `email` is required in truth. */
export type BuyPlanRequest = z.input<typeof buyPlanBody> & { email: string };

/** A hosted checkout session (spec, "Checkout session result"). The URL is opaque: redirect to it as it is. */
export const checkoutSessionSchemas = objectSchemas({
  checkoutUrl: described(
    { strict: z.url(), loose: z.string().min(1) },
    'The hosted payment page. Redirect to it as it is: its host depends on the payment provider.',
  ),
});

/** The 201 that is a failure: no `email`, so no session; told without `errorCode`. */
const missingEmail = z.strictObject({
  success: z.literal(false),
  message: z.string().min(1),
  ...traceFields,
});

const sessionOrUnknownPlan = envelopeSchemas({
  strict: z.union([checkoutSessionSchemas.strict, z.strictObject({})]),
  // The absence of `checkoutUrl` is the failure signal, so that a caller has to look for it.
  loose: checkoutSessionSchemas.loose.partial(),
});

/** Answer of buy-plan with status 201: a session, empty `data` for an unknown plan, or `success` false. */
export const buyPlanResponseSchemas = {
  strict: z.union([sessionOrUnknownPlan.strict, missingEmail]),
  loose: sessionOrUnknownPlan.loose,
};
