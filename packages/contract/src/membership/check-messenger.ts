import * as z from 'zod';
import { envelopeSchemas } from '../envelope.js';
import { messengerUserIdSegment, uuidField } from '../request-fields.js';
import { uuidSchemas } from '../response-schemas.js';

/** Path of `GET /membership/check-messenger/{communityId}/{messengerUserId}`; the id is given on as a number. */
export const checkMessengerPath = z.object({
  communityId: uuidField.describe('The community that is asked about.'),
  messengerUserId: messengerUserIdSegment.describe('The messenger account, in plain digits.'),
});

const isActive = <Value extends boolean>(value: Value) =>
  z.literal(value).describe('Whether the account holds an active membership at this moment.');
const membershipId = <Id extends z.ZodType>(id: Id) =>
  id.describe('The active membership; null when there is none.');

/** Whether a messenger user holds an active membership now (spec, "Messenger membership check result"). */
export const messengerCheckSchemas = {
  strict: z.discriminatedUnion('isActive', [
    z.strictObject({ isActive: isActive(true), membershipId: membershipId(uuidSchemas.strict) }),
    z.strictObject({ isActive: isActive(false), membershipId: membershipId(z.null()) }),
  ]),
  loose: z.looseObject({ isActive: z.boolean(), membershipId: uuidSchemas.loose.nullish() }),
};

/** Answer of the check. */
export const checkMessengerResponseSchemas = envelopeSchemas(messengerCheckSchemas);
