import { dropSignupSchemas } from '@latchkey/contract';
import { type EndpointCall, readBy } from '../call/endpoint-call.js';

/** What `dropSignup` takes (spec, "POST /api/drop-notification/signup"). */
export interface DropSignupRequest {
  /** The community whose next drop is signed up for: a UUID. Which drop that is, is decided at the call. */
  communityId: string;
  email: string;
  /** For a notification by SMS, with its country code: `+44 20 7946 0018`. */
  phoneNumber?: string | undefined;
}

/** What a signup did (spec, "Drop signup result"). Fields unknown today pass through. */
export interface DropSignup {
  /** **False is no error**: the address has an account, and nobody was signed up. */
  signedUp: boolean;
  /** True when it was skipped for that reason. */
  hasExistingAccount: boolean;
  dropSlotInfo: DropSlot;
}

/** The drop that a signup was for (spec, "`dropSlotInfo`"). */
export interface DropSlot {
  id: string;
  /** Null if unlimited. */
  slots: number | null;
  slotsUsed: number;
  /** Null if unlimited. */
  availableSlots: number | null;
  /** ISO-8601. */
  startsAt: string;
  /** ISO-8601; null when there is no end date. */
  endsAt: string | null;
  /** Started and not ended. */
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
    read: readBy(dropSignupSchemas.loose, ({ dropSlotInfo, ...received }) => ({
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
