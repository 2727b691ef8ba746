import * as z from 'zod';
import { envelopeViews } from '../envelope.js';
import { messengerUserIdSegment, uuidField } from '../request-fields.js';
import { type Received, uuidViews } from '../response-views.js';

/** Path of `GET /membership/check-messenger/{communityId}/{messengerUserId}`; the id is given on as a number. */
export const checkMessengerPath = z.object({
  communityId: uuidField,
  messengerUserId: messengerUserIdSegment,
});

/** Whether a messenger user holds an active membership now (spec, "Messenger membership check result"). */
export const messengerCheckViews = {
  exact: z.discriminatedUnion('isActive', [
    z.strictObject({ isActive: z.literal(true), membershipId: uuidViews.exact }),
    z.strictObject({ isActive: z.literal(false), membershipId: z.null() }),
  ]),
  tolerant: z.looseObject({ isActive: z.boolean(), membershipId: uuidViews.tolerant.nullish() }),
};

/** Answer of the check. */
export const checkMessengerResponseViews = envelopeViews(messengerCheckViews);

/** The check's result as the service emits it. */
export type MessengerCheck = z.output<typeof messengerCheckViews.exact>;

/** The check's result as a caller reads it. */
export type ReceivedMessengerCheck = Received<typeof messengerCheckViews>;
