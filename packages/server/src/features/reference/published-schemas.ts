import * as contract from '@latchkey/contract';
import * as z from 'zod';

/** The JSON Schema (2020-12) keywords that are read here. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

const { ENDPOINTS } = contract;

const REQUESTS = Object.fromEntries(
  Object.entries<contract.Endpoint>(ENDPOINTS).flatMap(([name, { request }]) =>
    request.body === undefined ? [] : [[`${inPascalCase(name)}Request`, request.body]],
  ),
);

const RESPONSES: Readonly<Record<string, z.ZodType>> = {
  ProvisionedMembership: contract.provisionedMembershipSchemas.strict,
  InviteLink: contract.inviteLinkSchemas.strict,
  MessengerCheck: contract.messengerCheckSchemas.strict,
  CheckoutSession: contract.checkoutSessionSchemas.strict,
  DropSignup: contract.dropSignupSchemas.strict,
  DropSlot: contract.dropSlotSchemas.strict,
  TokenPair: contract.tokenPairSchemas.strict,
  UserIdentity: contract.userIdentitySchemas.strict,
  Membership: contract.membershipSchemas.strict,
  Product: contract.productSchemas.strict,
  ClientIdentity: contract.clientIdentitySchemas.strict,
  Rejection: contract.rejectionSchemas.strict,
  NotFound: ENDPOINTS.provisionExternal.failures[404].strict,
  ServerFailure: ENDPOINTS.provisionExternal.failures[500].strict,
  ...Object.fromEntries(
    Object.entries(contract.webhookEventSchemas).map(([type, { strict }]) => [
      `${type.split('.').map(inPascalCase).join('')}Event`,
      strict,
    ]),
  ),
};

/** Converts the contract: requests as callers write them, responses as the service emits them. */
export function publishSchemas() {
  const endpoints = Object.values<contract.Endpoint>(ENDPOINTS);
  const requests = convert({
    named: REQUESTS,
    others: endpoints.flatMap(({ request }) => [request.path, request.query, request.body].filter(isSchema)),
    io: 'input',
  });
  const responses = convert({
    named: RESPONSES,
    others: [
      ...endpoints.flatMap(({ success, failures }) =>
        [success.body, ...Object.values(failures)].map((views) => views?.strict).filter(isSchema),
      ),
      contract.webhookHeaderSchemas.strict,
    ],
    io: 'output',
  });
  return {
    components: { ...requests.components, ...responses.components },
    /** A reference to a schema that has a name, else the schema itself. */
    of(schema: z.ZodType): JsonSchema {
      const found = requests.inPlace.get(schema) ?? responses.inPlace.get(schema);
      if (found === undefined) throw new Error('A schema is no part of the endpoint table or the events.');
      return found;
    },
  };
}

export type PublishedSchemas = ReturnType<typeof publishSchemas>;

function convert({
  named,
  others,
  io,
}: {
  named: Readonly<Record<string, z.ZodType>>;
  others: readonly z.ZodType[];
  io: 'input' | 'output';
}) {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  const ids = new Map([...new Set(others)].map((schema, index) => [schema, `unnamed-${index}`]));
  for (const [schema, name] of names) ids.set(schema, name);
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of ids) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: componentUri,
    override: ({ zodSchema, jsonSchema }) => {
      // Descriptions and formats are in the global registry, ids in ours.
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      if (io === 'output') openUp(jsonSchema);
    },
  });
  const converted = (id: string): JsonSchema => {
    const { $schema: _dialect, $id: _address, ...schema } = schemas[id] ?? {};
    // zod's type allows any keyword; the contract's schemas use only the ones in JsonSchema.
    return schema as JsonSchema;
  };
  return {
    components: Object.fromEntries([...names.values()].map((name) => [name, converted(name)])),
    inPlace: new Map<z.ZodType, JsonSchema>(
      [...ids].map(([schema, id]) => [
        schema,
        names.has(schema) ? { $ref: componentUri(id) } : converted(id),
      ]),
    ),
  };
}

/** Endpoints only grow: callers must expect unknown fields and, in enums, unknown values. */
function openUp(schema: Record<string, unknown>): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.enum === undefined) return;
  schema['x-extensible-enum'] = schema.enum;
  delete schema.enum;
}

function componentUri(id: string): string {
  return `#/components/schemas/${id}`;
}

function inPascalCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isSchema(schema: z.ZodType | undefined): schema is z.ZodType {
  return schema !== undefined;
}
