import type { Operator } from '@latchkey/server';
import type * as z from 'zod';

export interface AdminResult {
  /** One sentence for people. */
  readonly message: string;
  /** Values for people and programs: ids and new secrets. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
  /** Names of the facts that cannot be read again later. */
  readonly secrets?: readonly string[];
}

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
  run(operator: Operator, values: z.output<Values>): Promise<AdminResult>;
}

/** Infers the type of the values from their schema. */
export function adminOperation<Values extends z.ZodObject>(
  operation: AdminOperation<Values>,
): AdminOperation<Values> {
  return operation;
}
