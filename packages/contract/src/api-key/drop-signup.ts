import * as z from 'zod';
import { envelopeSchemas } from '../shapes/envelope.js';
import { emailField, phoneNumberField, uuidField } from '../shapes/request-fields.js';
import {
  booleanSchemas,
  described,
  dispensableSchemas,
  type Emitted,
  nullableSchemas,
  objectSchemas,
  sameInBoth,
  textSchemas,
  timestampSchemas,
} from '../shapes/response-schemas.js';

/** Request body of `POST /api/drop-notification/signup`. */
export const dropSignupBody = z.object({
  communityId: uuidField.describe('Community of the drop. The signup is for its next drop.'),
  email: emailField.describe('Email address to notify.'),
  phoneNumber: phoneNumberField
    .optional()
    .describe(
      'Number for a notification by SMS, in E.164 format (`+` and 7 to 15 digits). Spaces and dashes are accepted.',
    ),
});

const count = { strict: z.int().min(0), loose: z.number() };

/** The drop slot of a signup (spec, "`dropSlotInfo`"). */
export const dropSlotSchemas = objectSchemas({
  id: described(dispensableSchemas(textSchemas), 'Id of the drop slot.'),
  slots: described(dispensableSchemas(nullableSchemas(count)), 'Null if unlimited.'),
  slotsUsed: described(dispensableSchemas(count), 'Number of slots taken, including this signup.'),
  availableSlots: described(dispensableSchemas(nullableSchemas(count)), 'Null if unlimited.'),
  startsAt: described(dispensableSchemas(timestampSchemas), 'Start of the drop.'),
  endsAt: described(
    dispensableSchemas(nullableSchemas(timestampSchemas)),
    'End of the drop. Null without an end date.',
  ),
  isCurrentlyActive: described(
    dispensableSchemas(booleanSchemas),
    'True if the drop started and has not ended.',
  ),
  dropNotification: described(
    { strict: z.looseObject({}).nullable(), loose: z.unknown().optional() },
    'Internal. Ignore it.',
  ),
  userHasNotification: described(
    { strict: z.exactOptional(z.boolean()), loose: z.unknown().optional() },
    'Internal. Sometimes present. Ignore it.',
  ),
});

/** Result of a signup (spec, "Drop signup result"). Exactly one of the two flags is true. */
export const dropSignupSchemas = objectSchemas({
  signedUp: described(sameInBoth(z.boolean()), 'False if the address already has an account.'),
  hasExistingAccount: described(
    dispensableSchemas(sameInBoth(z.boolean())),
    'True if the signup was skipped because the address already has an account.',
  ),
  dropSlotInfo: described(dispensableSchemas(dropSlotSchemas), 'The drop slot of the signup.'),
});

const signupOnce = {
  strict: dropSignupSchemas.strict.refine(
    (result) => result.signedUp !== result.hasExistingAccount,
    'signedUp is false exactly when the address has an account',
  ),
  loose: dropSignupSchemas.loose,
};

/** Response of `POST /api/drop-notification/signup`. */
export const dropSignupResponseSchemas = envelopeSchemas(signupOnce);

export type DropSlotInfo = Emitted<typeof dropSlotSchemas>;
