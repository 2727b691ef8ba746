import type { Operator } from '@latchkey/server';
import { idField, nameField, type Resource } from '@latchkey/server/schemas';
import * as z from 'zod';
import { databaseUrl, serviceNames, serviceOrigin } from '../command-line/service-values.js';

/** A command of `latchkey admin`: one call of the server's operator. */
export interface AdminOperation<Values extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  /** Values of the call. The command's flags and help are derived from the schema. */
  readonly values: Values;
  /** Flags of a complete call, for the help. */
  readonly example: string;
  /** True if the operation needs the service's origin. @default false */
  readonly needsBaseUrl?: boolean;
  /** Names of the facts that cannot be read again later. */
  readonly secrets?: readonly string[];
  /** True if the result is a document, which is printed as JSON. @default false */
  isDocument?(values: z.output<Values>): boolean;
  /** Calls the operator. Returns values for people and programs, if there are any: ids and new secrets. */
  run(operator: Operator, values: z.output<Values>): Promise<unknown>;
  /** Sentence for people, once it is done. */
  done(values: z.output<Values>): string;
}

/** Infers the type of the values from their schema. */
export function adminOperation<Values extends z.ZodObject>(
  operation: AdminOperation<Values>,
): AdminOperation<Values> {
  return operation;
}

const SERVICE = 'Service';

/** Settings that every operation has. */
const adminSettings = z.object({
  database: databaseUrl.meta({ group: SERVICE }),
  serviceNames: serviceNames
    .exactOptional()
    .meta({ group: SERVICE, defaultText: 'the names that the database has' }),
  json: z
    .boolean()
    .default(false)
    .meta({ group: SERVICE, description: 'Print the result, or the error, as one line of JSON.' }),
});

/** Settings of the operations that need the service's origin. */
export const adminSettingsWithBaseUrl = z.object({
  ...adminSettings.shape,
  baseUrl: serviceOrigin.meta({
    group: SERVICE,
    description: 'Origin of the service as browsers see it, the same as for "latchkey serve".',
  }),
});

/** The settings of an operation's command: its own values and those that every operation has. */
export function settingsOf({ values, needsBaseUrl = false }: AdminOperation) {
  const common = needsBaseUrl ? adminSettingsWithBaseUrl : adminSettings;
  return values.safeExtend(common.shape) as z.ZodObject<
    typeof adminSettings.shape & { baseUrl: z.ZodExactOptional<z.ZodString> }
  >;
}

export function idOf(description: string) {
  return idField.meta({ placeholder: 'uuid', description });
}

/** An optional id for something new. */
export const newId = idField.exactOptional().meta({
  placeholder: 'uuid',
  defaultText: 'a new UUID',
  description: 'Id, such as 5eed0000-0000-4000-8000-00000000000a.',
});

export const ownerId = idOf('Owner’s user id.');
export const userId = idOf('User’s id.');
export const communityId = idOf('Community’s id.');
export const name = nameField.meta({ placeholder: 'name', description: 'Name.' });

/** Returns the fields of a resource that have a flag, with its metadata. */
export function flagsOfResource<Shape extends z.ZodRawShape>(
  resource: Pick<Resource, 'fields'> & { readonly create: z.ZodObject<Shape> },
): Shape {
  const shape: Readonly<Record<string, unknown>> = resource.create.shape;
  const flags = resource.fields.flatMap(({ name: field, flag }) =>
    flag === undefined ? [] : [[field, (shape[field] as z.ZodType).meta(flag)]],
  );
  return Object.fromEntries(flags);
}
