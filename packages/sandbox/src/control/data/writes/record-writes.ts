import type { Clock, Operator } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';
import type * as z from 'zod';
import type { RecordKind } from '../records/record-kinds.js';

/** Transaction of a write, and the parts of the service that act in it. */
export interface WriteContext {
  readonly db: Database;
  /** Operator whose calls join the transaction. */
  readonly operator: Operator;
  readonly clock: Clock;
  /** Origin of the service. */
  readonly baseUrl: string;
}

/** New record. Secrets among the other fields are shown this once. */
export interface CreatedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface RecordCreation<Body extends z.ZodType = z.ZodType> {
  /** Sentence for the documentation. */
  readonly summary: string;
  readonly body: Body;
  run(input: z.output<Body>, context: WriteContext): Promise<CreatedRecord>;
}

export interface RecordEdit<Body extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly body: Body;
  /** Returns fields for the caller, such as a new secret. Empty without any. */
  run(id: string, changes: z.output<Body>, context: WriteContext): Promise<object>;
}

/** End of a record by the service's own operation: a deletion, an archiving, a revocation. */
export interface RecordEnd {
  readonly summary: string;
  run(id: string, context: WriteContext): Promise<void>;
}

/** Writes of one kind. The service does not have each of them for each kind. */
export interface RecordWrites {
  readonly kind: RecordKind;
  readonly create: RecordCreation;
  readonly edit?: RecordEdit;
  readonly end?: RecordEnd;
}

/** Describes a creation whose function gets the parsed body. */
export function creation<Body extends z.ZodType>(of: RecordCreation<Body>): RecordCreation {
  return of as RecordCreation;
}

/** Describes a change whose function gets the parsed body. */
export function edit<Body extends z.ZodType>(of: RecordEdit<Body>): RecordEdit {
  return of as RecordEdit;
}
