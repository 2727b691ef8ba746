import * as z from 'zod';
import { envelopeSchemas } from '../envelope.js';
import { emailField, phoneNumberField, uuidField } from '../request-fields.js';
import {
  booleanSchemas,
  described,
  type Emitted,
  nullableSchemas,
  objectSchemas,
  sameInBoth,
  textSchemas,
  timestampSchemas,
} from '../response-schemas.js';

/** Body of `POST /api/drop-notification/signup`. */
export const dropSignupBody = z.object({
  communityId: uuidField.describe('The community whose next drop is signed up for.'),
  email: emailField.describe('The address to sign up.'),
  phoneNumber: phoneNumberField
    .optional()
    .describe('For a notification by SMS. E.164 (`+` and 7 to 15 digits); spaces and dashes are tolerated.'),
});

const count = { strict: z.int().min(0), loose: z.number() };

/** The drop slot that a signup was for (spec, "`dropSlotInfo`"). Null counts mean unlimited. */
export const dropSlotSchemas = objectSchemas({
  id: described(textSchemas, 'Id of the drop slot.'),
  slots: described(nullableSchemas(count), 'Null if unlimited.'),
  slotsUsed: described(count, 'How many are taken, a new signup included.'),
  availableSlots: described(nullableSchemas(count), 'Null if unlimited.'),
  startsAt: described(timestampSchemas, 'When the drop starts.'),
  endsAt: described(nullableSchemas(timestampSchemas), 'Null when there is no end date.'),
  isCurrentlyActive: described(booleanSchemas, 'Started and not ended.'),
  dropNotification: described(
    { strict: z.looseObject({}).nullable(), loose: z.unknown().optional() },
    'Internal bookkeeping; ignore it.',
  ),
  userHasNotification: described(
    { strict: z.exactOptional(z.boolean()), loose: z.unknown().optional() },
    'Internal; sometimes present; ignore it.',
  ),
});

/** What a signup did (spec, "Drop signup result"): one of the two flags is true. */
export const dropSignupSchemas = objectSchemas({
  signedUp: described(sameInBoth(z.boolean()), 'False when the address already has an account.'),
  hasExistingAccount: described(sameInBoth(z.boolean()), 'True when skipped for that reason.'),
  dropSlotInfo: described(dropSlotSchemas, 'The drop slot that the call was about.'),
});

const signupOnce = {
  strict: dropSignupSchemas.strict.refine(
    (result) => result.signedUp !== result.hasExistingAccount,
    'signedUp is false exactly when the address has an account',
  ),
  loose: dropSignupSchemas.loose,
};

/** Answer of `POST /api/drop-notification/signup`. */
export const dropSignupResponseSchemas = envelopeSchemas(signupOnce);

/** A drop slot as the service emits it. */
export type DropSlotInfo = Emitted<typeof dropSlotSchemas>;
