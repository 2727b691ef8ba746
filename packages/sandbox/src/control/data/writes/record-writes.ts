import { formatTimestamp } from '@latchkey/contract/constants';
import type { Operator } from '@latchkey/server';
import type { Database } from '@latchkey/server/extension';
import * as z from 'zod';
import type { Needs } from '../../../services/services.js';
import { ControlFailure } from '../../access/control-failure.js';

/** Transaction of a write, and the services that act in it. The operator's calls join the transaction. */
export type WriteContext = { readonly db: Database; readonly operator: Operator } & Needs<
  'clock' | 'baseUrl'
>;

/** New record. Secrets among the other fields are shown this once. */
export interface CreatedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Writes of one kind, each with a sentence for the documentation. The service does not have each of them for each kind. */
export interface RecordWrites<Create extends z.ZodType = z.ZodType, Edit extends z.ZodType = z.ZodType> {
  readonly create: {
    readonly summary: string;
    readonly body: Create;
    run(input: z.output<Create>, context: WriteContext): Promise<CreatedRecord>;
  };
  readonly edit?: {
    readonly summary: string;
    readonly body: Edit;
    /** Returns fields for the caller, such as a new secret. Empty without any. */
    run(id: string, changes: z.output<Edit>, context: WriteContext): Promise<object>;
  };
  /** End of a record by the service's own operation: a deletion, an archiving, a revocation. */
  readonly end?: {
    readonly summary: string;
    run(id: string, context: WriteContext): Promise<void>;
  };
}

/** Describes writes whose functions get the parsed bodies. */
export function recordWrites<Create extends z.ZodType, Edit extends z.ZodType>(
  writes: RecordWrites<Create, Edit>,
): RecordWrites {
  return writes as unknown as RecordWrites;
}

const INSTANT_MESSAGE = 'Enter a day and a time with a time zone, such as 2027-01-31T12:00:00Z.';

/** Id of another record. */
export const idText = z.string('Enter a UUID.').trim().toLowerCase().describe('UUID');

export const newId = idText.optional().describe('UUID; by default a new one.');

/** Instant in ISO 8601 with a time zone, as milliseconds since the epoch. */
export const instant = z.iso
  .datetime({ offset: true, error: INSTANT_MESSAGE })
  .refine(isWritable, INSTANT_MESSAGE)
  .transform((text) => Date.parse(text));

/** Name that the service checks. */
export const nameText = z.string('Enter a name.');

/** Accent colour that the service checks. */
export const accentText = z.string('Enter a colour such as #b4541a.').describe('`#rrggbb`');

export const flag = z.boolean('Enter true or false.').optional();

/** False for an instant that no timestamp of the API can have. */
function isWritable(text: string): boolean {
  try {
    formatTimestamp(Date.parse(text));
    return true;
  } catch {
    return false;
  }
}

/** Removes fields without a value. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Returns an active owner of the community, in whose name the sandbox changes it. Another user than `besides` comes first.
 *
 * @throws ControlFailure `conflict` if the community has no active owner.
 */
export async function actingOwner(
  db: Database,
  communityId: string,
  besides?: string,
): Promise<{ communityId: string; userId: string }> {
  const owners = await db
    .selectFrom('community_roles')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('role', '=', 'OWNER')
    .where('is_active', '=', 1)
    .orderBy('user_id')
    .limit(2)
    .execute();
  const owner = owners.find(({ user_id }) => user_id !== besides) ?? owners[0];
  if (owner !== undefined) return { communityId, userId: owner.user_id };
  throw new ControlFailure('conflict', 'The community has no active owner, who alone could change this.');
}

/** Failure of a change that the service's rules do not allow now. */
export function refused(message: string, field?: string): ControlFailure {
  return new ControlFailure('conflict', message, field === undefined ? {} : { [field]: message });
}
