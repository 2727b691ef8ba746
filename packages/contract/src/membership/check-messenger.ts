import * as z from 'zod';
import { messengerUserIdNameOf, type ServiceNames } from '../names/service-names.js';
import { envelopeSchemas } from '../shapes/envelope.js';
import { messengerUserIdSegment, uuidField } from '../shapes/request-fields.js';
import { uuidSchemas } from '../shapes/response-schemas.js';

const communityId = uuidField.describe('Community to check.');
const messengerUserId = messengerUserIdSegment.describe('Id of the messenger account, in digits.');

/** Path parameters of `GET /membership/check-messenger/{communityId}/{messengerUserId}`, under the spec's own names. */
export const checkMessengerPath = z.object({ communityId, messengerUserId });

/** Returns the path parameters under the names of a service. The output has `messengerUserId` in every case. */
export function checkMessengerPathOf(
  names: ServiceNames,
): z.ZodType<z.output<typeof checkMessengerPath>, Record<string, unknown>> {
  const name = messengerUserIdNameOf(names);
  if (name === 'messengerUserId') return checkMessengerPath;
  return z
    .object({ communityId, [name]: messengerUserId })
    .transform(
      ({ [name]: id, ...path }) => ({ ...path, messengerUserId: id }) as z.output<typeof checkMessengerPath>,
    );
}

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
  loose: z.looseObject({ isActive: z.boolean(), membershipId: uuidSchemas.loose.nullable().catch(null) }),
};

/** Response of the check. */
export const checkMessengerResponseSchemas = envelopeSchemas(messengerCheckSchemas);
