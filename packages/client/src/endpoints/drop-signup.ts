import { dropSignupSchemas } from '@latchkey/contract';
import { type EndpointCall, parseBy } from '../call/endpoint-call.js';

/** Request of `dropSignup` (spec, "POST /api/drop-notification/signup"). */
export interface DropSignupRequest {
  /** Id of the community, a UUID. The signup is for its next drop at the time of the call. */
  communityId: string;
  email: string;
  /** Number for a notification by SMS, with the country code: `+44 20 7946 0018`. */
  phoneNumber?: string | undefined;
}

/** Result of a signup (spec, "Drop signup result"). Unknown fields are kept. */
export interface DropSignup {
  /** False if the address already has an account, so that no signup was necessary. This is not an error. */
  signedUp: boolean;
  /** True if the address already has an account. */
  hasExistingAccount: boolean;
  dropSlotInfo: DropSlot;
}

/** The drop of a signup (spec, "`dropSlotInfo`"). */
export interface DropSlot {
  id: string;
  /** Null if unlimited. */
  slots: number | null;
  slotsUsed: number;
  /** Null if unlimited. */
  availableSlots: number | null;
  /** ISO-8601. */
  startsAt: string;
  /** ISO-8601. Null without an end date. */
  endsAt: string | null;
  /** True if the drop started and has not ended. */
  isCurrentlyActive: boolean;
}

export function dropSignupCall({
  communityId,
  email,
  phoneNumber,
}: DropSignupRequest): EndpointCall<DropSignup> {
  return {
    endpoint: 'dropSignup',
    body: { communityId, email, phoneNumber },
    parse: parseBy(dropSignupSchemas.loose, ({ dropSlotInfo, ...received }) => ({
      ...received,
      dropSlotInfo: {
        ...dropSlotInfo,
        slots: dropSlotInfo.slots ?? null,
        availableSlots: dropSlotInfo.availableSlots ?? null,
        endsAt: dropSlotInfo.endsAt ?? null,
      },
    })),
  };
}
