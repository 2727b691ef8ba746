import * as z from 'zod';
import { envelopeViews } from '../envelope.js';
import { emailField, phoneNumberField, uuidField } from '../request-fields.js';
import {
  booleanViews,
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
  communityId: uuidField,
  email: emailField,
  /** E.164; spaces and dashes are tolerated. */
  phoneNumber: phoneNumberField.optional(),
});

/** Body as a caller writes it. */
export type DropSignupRequest = z.input<typeof dropSignupBody>;

/** Body as the service reads it. */
export type DropSignupCommand = z.output<typeof dropSignupBody>;

const count = { exact: z.int().min(0), tolerant: z.number() };

/** The drop slot that a signup was for (spec, "`dropSlotInfo`"). Null counts mean unlimited. */
export const dropSlotViews = objectViews({
  id: textViews,
  slots: nullableViews(count),
  slotsUsed: count,
  availableSlots: nullableViews(count),
  startsAt: timestampViews,
  endsAt: nullableViews(timestampViews),
  /** Started and not ended. */
  isCurrentlyActive: booleanViews,
  /** Internal; callers ignore it. */
  dropNotification: { exact: z.looseObject({}).nullable(), tolerant: z.unknown().optional() },
  /** Internal; callers ignore it. */
  userHasNotification: { exact: z.exactOptional(z.boolean()), tolerant: z.unknown().optional() },
});

/** What a signup did (spec, "Drop signup result"): one of the two flags is true. */
export const dropSignupViews = objectViews({
  signedUp: sameInBoth(z.boolean()),
  hasExistingAccount: sameInBoth(z.boolean()),
  dropSlotInfo: dropSlotViews,
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

/** What a signup did, as the service emits it. */
export type DropSignup = Emitted<typeof dropSignupViews>;

/** What a signup did, as a caller reads it. */
export type ReceivedDropSignup = Received<typeof dropSignupViews>;
