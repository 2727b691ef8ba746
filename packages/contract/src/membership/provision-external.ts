import * as z from 'zod';
import { envelopeSchemas } from '../envelope.js';
import {
  emailField,
  externalIdField,
  messengerUserIdField,
  timestampField,
  uuidField,
} from '../request-fields.js';
import {
  described,
  type Emitted,
  growingSetSchemas,
  nullableSchemas,
  objectSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../response-schemas.js';

/** What happens to a membership that is still active (spec, "POST /membership/provision-external"). */
export const ON_OVERLAP_VALUES = ['extend', 'replace', 'error'] as const;

/** The state a provisioning found the membership in (spec, "Provisioned membership result"). */
export const PROVISION_STATUSES = ['created', 'extended', 'replaced', 'idempotent_return'] as const;

/** Body of `POST /membership/provision-external`. `null` is refused where a field may be left out. */
export const provisionExternalBody = z
  .object({
    communityId: uuidField.describe('The community that access is granted to.'),
    externalOrderId: externalIdField.describe(
      'Idempotency key: stable per order, made of a durable order id, never of a time or a random value.',
    ),
    email: emailField
      .optional()
      .describe('The buyer. One of `email` and `messengerUserId` is required; both give the best match.'),
    messengerUserId: messengerUserIdField
      .optional()
      .describe("The buyer's messenger account. One of `email` and `messengerUserId` is required."),
    pricingPlanId: uuidField.optional().describe('The plan that the membership is attached to.'),
    validFrom: timestampField
      .optional()
      .describe('ISO-8601; without an offset it is UTC. Default now; ignored when the result is `created`.'),
    validUntil: timestampField
      .optional()
      .describe('ISO-8601; without an offset it is UTC. Left out for lifetime access; never `null`.'),
    onOverlap: z
      .enum(ON_OVERLAP_VALUES)
      .default('extend')
      .describe('What happens to a membership that is still active.'),
  })
  .refine((body) => body.email !== undefined || body.messengerUserId !== undefined, {
    message: 'email or messengerUserId is required',
    path: ['email'],
  });

/** Body as a caller writes it: timestamps as text, `onOverlap` optional. */
export type ProvisionExternalRequest = z.input<typeof provisionExternalBody>;

/** Body as the service reads it: timestamps in milliseconds since the epoch, `onOverlap` filled in. */
export type ProvisionExternalCommand = z.output<typeof provisionExternalBody>;

/** What a provisioning did (spec, "Provisioned membership result"). */
export const provisionedMembershipSchemas = objectSchemas({
  membershipId: described(uuidSchemas, 'The only handle on the membership; store it per order.'),
  userId: described(uuidSchemas, 'The user matched or created; the same value as `sub` of userinfo.'),
  validFrom: described(timestampSchemas, 'As stored. On `created` it is the time of the call.'),
  validUntil: described(nullableSchemas(timestampSchemas), 'Null for lifetime access.'),
  status: described(
    growingSetSchemas(PROVISION_STATUSES),
    'The state of the membership before the call, not the strategy that was asked for.',
  ),
});

/** Answer of `POST /membership/provision-external`. */
export const provisionExternalResponseSchemas = envelopeSchemas(provisionedMembershipSchemas);

/** What a provisioning did, as the service emits it. */
export type ProvisionedMembership = Emitted<typeof provisionedMembershipSchemas>;
