import * as z from 'zod';
import { envelopeSchemas } from '../shapes/envelope.js';
import { messengerUserIdSegment, uuidField } from '../shapes/request-fields.js';
import { uuidSchemas } from '../shapes/response-schemas.js';

/** Path parameters of `GET /membership/check-messenger/{communityId}/{messengerUserId}`. */
export const checkMessengerPath = z.object({
  communityId: uuidField.describe('Community to check.'),
  messengerUserId: messengerUserIdSegment.describe('Id of the messenger account, in digits.'),
});

const isActive = <Value extends boolean>(value: Value) =>
  z.literal(value).describe('True if the account has an active membership now.');
const membershipId = <Id extends z.ZodType>(id: Id) =>
  id.describe('Id of the active membership. Null without one.');

/** Membership of a messenger account at the time of the call (spec, "Messenger membership check result"). */
export const messengerCheckSchemas = {
  strict: z.discriminatedUnion('isActive', [
    z.strictObject({ isActive: isActive(true), membershipId: membershipId(uuidSchemas.strict) }),
    z.strictObject({ isActive: isActive(false), membershipId: membershipId(z.null()) }),
  ]),
  loose: z.looseObject({ isActive: z.boolean(), membershipId: uuidSchemas.loose.nullish() }),
};

/** Response of the check. */
export const checkMessengerResponseSchemas = envelopeSchemas(messengerCheckSchemas);
