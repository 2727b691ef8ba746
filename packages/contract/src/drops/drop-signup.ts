import * as z from 'zod';
import { envelopeViews } from '../envelope.js';
import { emailField, phoneNumberField, uuidField } from '../request-fields.js';
import {
  booleanViews,
  described,
  type Emitted,
  nullableViews,
  objectViews,
  type Received,
  sameInBoth,
  textViews,
  timestampViews,
} from '../response-views.js';

/** Body of `POST /api/drop-notification/signup`. */
export const dropSignupBody = z.object({
  communityId: uuidField.describe('The community whose next drop is signed up for.'),
  email: emailField.describe('The address to sign up.'),
  phoneNumber: phoneNumberField
    .optional()
    .describe('For a notification by SMS. E.164 (`+` and 7 to 15 digits); spaces and dashes are tolerated.'),
});

/** Body as a caller writes it. */
export type DropSignupRequest = z.input<typeof dropSignupBody>;

/** Body as the service reads it. */
export type DropSignupCommand = z.output<typeof dropSignupBody>;

const count = { exact: z.int().min(0), tolerant: z.number() };

/** The drop slot that a signup was for (spec, "`dropSlotInfo`"). Null counts mean unlimited. */
export const dropSlotViews = objectViews({
  id: described(textViews, 'Id of the drop slot.'),
  slots: described(nullableViews(count), 'Null if unlimited.'),
  slotsUsed: described(count, 'How many are taken, a new signup included.'),
  availableSlots: described(nullableViews(count), 'Null if unlimited.'),
  startsAt: described(timestampViews, 'When the drop starts.'),
  endsAt: described(nullableViews(timestampViews), 'Null when there is no end date.'),
  isCurrentlyActive: described(booleanViews, 'Started and not ended.'),
  dropNotification: described(
    { exact: z.looseObject({}).nullable(), tolerant: z.unknown().optional() },
    'Internal bookkeeping; ignore it.',
  ),
  userHasNotification: described(
    { exact: z.exactOptional(z.boolean()), tolerant: z.unknown().optional() },
    'Internal; sometimes present; ignore it.',
  ),
});

/** What a signup did (spec, "Drop signup result"): one of the two flags is true. */
export const dropSignupViews = objectViews({
  signedUp: described(sameInBoth(z.boolean()), 'False when the address already has an account.'),
  hasExistingAccount: described(sameInBoth(z.boolean()), 'True when skipped for that reason.'),
  dropSlotInfo: described(dropSlotViews, 'The drop slot that the call was about.'),
});

const signupOnce = {
  exact: dropSignupViews.exact.refine(
    (result) => result.signedUp !== result.hasExistingAccount,
    'signedUp is false exactly when the address has an account',
  ),
  tolerant: dropSignupViews.tolerant,
};

/** Answer of `POST /api/drop-notification/signup`. */
export const dropSignupResponseViews = envelopeViews(signupOnce);

/** A drop slot as the service emits it. */
export type DropSlotInfo = Emitted<typeof dropSlotViews>;

/** What a signup did, as the service emits it. */
export type DropSignup = Emitted<typeof dropSignupViews>;

/** What a signup did, as a caller reads it. */
export type ReceivedDropSignup = Received<typeof dropSignupViews>;
