import type { WebhookEventType } from '@latchkey/contract/constants';
import type { OptionProblem } from '../platform/options-error.js';
import { isKnownType } from './event-type.js';

/**
 * Schema of a body, from any library that implements Standard Schema: zod, Valibot, ArkType and others. It must validate
 * synchronously.
 */
export interface PayloadSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => PayloadResult<Output> | Promise<PayloadResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Result of a schema: the parsed value, or the issues. */
export type PayloadResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly PayloadIssue[] };

interface PayloadIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Schemas of bodies by event type. */
export type PayloadSchemas = { readonly [Type in WebhookEventType]?: PayloadSchema | undefined };

/** No schema: every body has the type `unknown`. */
export type NoPayload = Record<never, never>;

/** Type of the body of an event: the output of its schema, or `unknown` without one. */
export type PayloadOf<Payload, Type extends WebhookEventType> = Payload extends {
  readonly [Each in Type]: PayloadSchema<infer Output>;
}
  ? Output
  : unknown;

/** Result of {@link parsePayload}. `problem` is for the log and contains no value of the body. */
export type ParsedPayload = { kind: 'parsed'; body: unknown } | { kind: 'unreadable'; problem: string };

/** Parses a body by the schema of its event type. Without one it is returned unchanged. */
export function parsePayload(
  schemas: PayloadSchemas | undefined,
  { type, body }: { type: string; body: unknown },
): ParsedPayload {
  const schema = schemas !== undefined && isKnownType(type) ? schemas[type] : undefined;
  if (schema === undefined) return { kind: 'parsed', body };
  try {
    return resultOf(schema['~standard'].validate(body));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'unreadable', problem: `It failed: ${text}` };
  }
}

function resultOf(result: ReturnType<PayloadSchema['~standard']['validate']>): ParsedPayload {
  if ('then' in result) {
    // Its result is not used, so its failure must not end the process.
    result.then(undefined, () => {});
    return { kind: 'unreadable', problem: 'It is asynchronous. Use one that validates synchronously.' };
  }
  if (result.issues === undefined) return { kind: 'parsed', body: result.value };
  return { kind: 'unreadable', problem: `Invalid: ${result.issues.map(pathOf).join(', ')}.` };
}

function pathOf({ path = [] }: PayloadIssue): string {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return names.join('.') || 'the top level';
}

/** Validates the option `payload`. */
export function problemsOfPayload(payload: unknown): OptionProblem[] {
  if (payload === undefined) return [];
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    return [{ option: 'payload', message: 'must be an object { [eventType]: schema }.' }];
  }
  return Object.entries(payload).flatMap(([type, schema]: [string, unknown]) => {
    const option = `payload.${type}`;
    if (!isKnownType(type)) return [{ option, message: 'is not a known event type. Check the spelling.' }];
    if (schema === undefined || isSchema(schema)) return [];
    return [{ option, message: 'must be a schema that implements Standard Schema, such as one of zod.' }];
  });
}

/** The schemas of some libraries are functions. */
function isSchema(value: unknown): value is PayloadSchema {
  if (!['object', 'function'].includes(typeof value) || value === null) return false;
  const standard: unknown = Reflect.get(Object(value), '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}
