import * as z from 'zod';
import { envelopeViews } from '../envelope.js';
import {
  emailField,
  externalIdField,
  messengerUserIdField,
  timestampField,
  uuidField,
} from '../request-fields.js';
import {
  type Emitted,
  growingSetViews,
  nullableViews,
  objectViews,
  type Received,
  timestampViews,
  uuidViews,
} from '../response-views.js';

/** What happens to a membership that is still active (spec, "POST /membership/provision-external"). */
export const ON_OVERLAP_VALUES = ['extend', 'replace', 'error'] as const;

/** The state a provisioning found the membership in (spec, "Provisioned membership result"). */
export const PROVISION_STATUSES = ['created', 'extended', 'replaced', 'idempotent_return'] as const;

/** Body of `POST /membership/provision-external`. `null` is refused where a field may be left out. */
export const provisionExternalBody = z
  .object({
    communityId: uuidField,
    /** Idempotency key; stable per order. */
    externalOrderId: externalIdField,
    email: emailField.optional(),
    messengerUserId: messengerUserIdField.optional(),
    pricingPlanId: uuidField.optional(),
    /** Default now; ignored when the result is `created`. */
    validFrom: timestampField.optional(),
    /** Left out for lifetime. */
    validUntil: timestampField.optional(),
    onOverlap: z.enum(ON_OVERLAP_VALUES).default('extend'),
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
export const provisionedMembershipViews = objectViews({
  membershipId: uuidViews,
  userId: uuidViews,
  validFrom: timestampViews,
  validUntil: nullableViews(timestampViews),
  status: growingSetViews(PROVISION_STATUSES),
});

/** Answer of `POST /membership/provision-external`. */
export const provisionExternalResponseViews = envelopeViews(provisionedMembershipViews);

/** What a provisioning did, as the service emits it. */
export type ProvisionedMembership = Emitted<typeof provisionedMembershipViews>;

/** What a provisioning did, as a caller reads it. */
export type ReceivedProvisionedMembership = Received<typeof provisionedMembershipViews>;
