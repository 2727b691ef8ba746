import { dropSignupSchemas, type dropSlotSchemas, type Received } from '@latchkey/contract';
import { type EndpointCall, parseBy } from '../call/endpoint-call.js';

/** Request of `dropSignup` (spec, "POST /api/drop-notification/signup"). */
export interface DropSignupRequest {
  /** Id of the community, a UUID. The signup is for its next drop at the time of the call. */
  communityId: string;
  email: string;
  /** Number for a notification by text message, with the country code: `+44 20 7946 0018`. */
  phoneNumber?: string | undefined;
}

/**
 * Result of a signup (spec, "Drop signup result"). Unknown fields are kept. Every field except `signedUp` can be
 * missing.
 */
export interface DropSignup {
  /** False if the address already has an account and needs no signup. This isn't an error. */
  signedUp: boolean;
  /** True if the address already has an account. */
  hasExistingAccount: boolean | undefined;
  dropSlotInfo: DropSlot | undefined;
}

/** The drop of a signup (spec, "`dropSlotInfo`"). A field that the service didn't send is `undefined`. */
export interface DropSlot {
  id: string | undefined;
  /** Null if unlimited. */
  slots: number | null | undefined;
  slotsUsed: number | undefined;
  /** Null if unlimited. */
  availableSlots: number | null | undefined;
  /** ISO-8601. */
  startsAt: string | undefined;
  /** ISO-8601. Null if there is no end date. */
  endsAt: string | null | undefined;
  /** True if the drop has started and not yet ended. */
  isCurrentlyActive: boolean | undefined;
}

export const dropSignupCall: EndpointCall<DropSignupRequest, DropSignup> = {
  endpoint: 'dropSignup',
  prepare: ({ communityId, email, phoneNumber }) => ({ body: { communityId, email, phoneNumber } }),
  parse: parseBy(dropSignupSchemas.loose, ({ hasExistingAccount, dropSlotInfo, ...received }) => ({
    ...received,
    hasExistingAccount,
    dropSlotInfo: dropSlotInfo && dropSlot(dropSlotInfo),
  })),
};

/** Adds the fields that are missing, as `undefined`. */
function dropSlot(received: Received<typeof dropSlotSchemas>): DropSlot {
  const { id, slots, slotsUsed, availableSlots, startsAt, endsAt, isCurrentlyActive } = received;
  return { ...received, id, slots, slotsUsed, availableSlots, startsAt, endsAt, isCurrentlyActive };
}
