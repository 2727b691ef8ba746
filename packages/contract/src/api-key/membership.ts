import * as z from 'zod';
import { envelopeSchemas } from '../shapes/envelope.js';
import {
  emailField,
  externalIdField,
  messengerUserIdField,
  messengerUserIdSegment,
  timestampField,
  uuidField,
} from '../shapes/request-fields.js';
import {
  described,
  dispensableSchemas,
  type Emitted,
  growingSetSchemas,
  nullableSchemas,
  objectSchemas,
  timestampSchemas,
  uuidSchemas,
} from '../shapes/response-schemas.js';

/** What to do if the buyer's membership is still active (spec, "POST /membership/provision-external"). */
export const ON_OVERLAP_VALUES = ['extend', 'replace', 'error'] as const;

/** State of the membership before it was provisioned (spec, "Provisioned membership result"). */
export const PROVISION_STATUSES = ['created', 'extended', 'replaced', 'idempotent_return'] as const;

const eitherIdentifier = (field: string) => `\`email\` or \`${field}\` is required.`;

function messengerAccountField(field: string) {
  return messengerUserIdField
    .optional()
    .describe(`Messenger account of the buyer. ${eitherIdentifier(field)}`);
}

function bodyFields(field: string) {
  return z.object({
    communityId: uuidField.describe('Community to which the buyer gets access.'),
    externalOrderId: externalIdField.describe(
      'Idempotency key. Derive it from a durable order id, never from a time or a random value.',
    ),
    email: emailField
      .optional()
      .describe(`Email address of the buyer. ${eitherIdentifier(field)} Send both for the best match.`),
    messengerUserId: messengerAccountField(field),
    pricingPlanId: uuidField.optional().describe('Plan of the membership.'),
    validFrom: timestampField
      .optional()
      .describe(
        'Start of access, ISO-8601, UTC without an offset. Defaults to now. Ignored if the result is `created`.',
      ),
    validUntil: timestampField
      .optional()
      .describe(
        'End of access, ISO-8601, UTC without an offset. Omit it for lifetime access; `null` is rejected.',
      ),
    onOverlap: z
      .enum(ON_OVERLAP_VALUES)
      .default('extend')
      .describe('Strategy for a membership that is still active.'),
  });
}

/** Request body of `POST /membership/provision-external`, with the spec's names. Optional fields reject `null`. */
export const provisionExternalBody = bodyFields('messengerUserId').refine(
  (body) => body.email !== undefined || body.messengerUserId !== undefined,
  { message: 'email or messengerUserId is required', path: ['email'] },
);

/** Returns the request body with the messenger account in this field. The output always has `messengerUserId`. */
export function provisionExternalBodyOf(
  field: string,
): z.ZodType<ProvisionExternalCommand, Record<string, unknown>> {
  if (field === 'messengerUserId') return provisionExternalBody;
  return bodyFields(field)
    .omit({ messengerUserId: true })
    .extend({ [field]: messengerAccountField(field) })
    .refine((body) => body.email !== undefined || Reflect.get(body, field) !== undefined, {
      message: `email or ${field} is required`,
      path: ['email'],
    })
    .transform(
      ({ [field]: messengerUserId, ...body }) => ({ ...body, messengerUserId }) as ProvisionExternalCommand,
    );
}

/** Type of a request body: timestamps are strings, `onOverlap` is optional. */
export type ProvisionExternalRequest = z.input<typeof provisionExternalBody>;

/** Type of a parsed request body: timestamps are milliseconds since the epoch, `onOverlap` has its default. */
export type ProvisionExternalCommand = z.output<typeof provisionExternalBody>;

/** Result of a provisioning (spec, "Provisioned membership result"). */
export const provisionedMembershipSchemas = objectSchemas({
  membershipId: described(
    uuidSchemas,
    'Id of the membership. No endpoint returns it later, so store it with the order.',
  ),
  userId: described(
    dispensableSchemas(uuidSchemas),
    'Id of the matched or created user; equals `sub` of userinfo.',
  ),
  validFrom: described(
    dispensableSchemas(timestampSchemas),
    'Stored start of access. The time of the call if the result is `created`.',
  ),
  // Absent doesn't mean null: it must not be read as lifetime access.
  validUntil: described(
    dispensableSchemas(nullableSchemas(timestampSchemas)),
    'Stored end of access. Null for lifetime access.',
  ),
  status: described(
    dispensableSchemas(growingSetSchemas(PROVISION_STATUSES)),
    'State of the membership before the call, not the requested strategy.',
  ),
});

/** Response of `POST /membership/provision-external`. */
export const provisionExternalResponseSchemas = envelopeSchemas(provisionedMembershipSchemas);

export type ProvisionedMembership = Emitted<typeof provisionedMembershipSchemas>;

const communityId = uuidField.describe('Community to check.');
const messengerUserId = messengerUserIdSegment.describe('Id of the messenger account, in digits.');

/** Path parameters of `GET /membership/check-messenger/{communityId}/{messengerUserId}`, with the spec's names. */
export const checkMessengerPath = z.object({ communityId, messengerUserId });

/** Returns the path parameters with the messenger account under this name. The output always has `messengerUserId`. */
export function checkMessengerPathOf(
  name: string,
): z.ZodType<z.output<typeof checkMessengerPath>, Record<string, unknown>> {
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

export const checkMessengerResponseSchemas = envelopeSchemas(messengerCheckSchemas);
