import { comparableEmail } from '@latchkey/contract';
import type { DataRecord, RecordKind } from '@latchkey/sandbox';
import { CommandFailure } from '../command-line/command-failure.js';
import { quoted } from '../command-line/text.js';
import type { ControlClient } from './control-client.js';

/** Kinds of records with an id flag. */
const KINDS = {
  community: 'communities',
  membership: 'memberships',
  plan: 'plans',
  product: 'products',
  webhook: 'webhooks',
} as const satisfies Readonly<Record<string, RecordKind>>;

/**
 * Finds a record by its id, or without an id the only one that matches.
 *
 * @throws CommandFailure with the records to choose from.
 */
export async function findRecord(
  client: ControlClient,
  one: keyof typeof KINDS,
  { id, matches = () => true, ask = '' }: RecordChoice,
): Promise<DataRecord> {
  const records = (await client.records(KINDS[one])).filter(matches);
  const [found, ...others] =
    id === undefined ? records : records.filter((record) => record.id === id.toLowerCase());
  if (found !== undefined && others.length === 0) return found;
  const problem = id === undefined ? ask : `The sandbox has no ${one} ${quoted(id)}.`;
  const names = records
    .slice(0, 10)
    .map(({ id: known, name, productType, url }) => `${known} (${String(name ?? productType ?? url)})`);
  const choices =
    names.length === 0 ? `There are no ${KINDS[one]}.` : `The ${KINDS[one]} are ${names.join(', ')}.`;
  throw new CommandFailure(`${problem} ${choices}`);
}

interface RecordChoice {
  readonly id?: string | undefined;
  matches?(record: DataRecord): boolean;
  /** A sentence that asks for an id if several records match. */
  readonly ask?: string;
}

/**
 * Finds a user by email address or id.
 *
 * @throws CommandFailure if there is none.
 */
export async function findUser(client: ControlClient, user: string): Promise<{ id: string; name: string }> {
  const wanted = comparableEmail(user);
  const found = (await client.records('users')).find(
    ({ id, email }) => id === wanted || String(email).toLowerCase() === wanted,
  );
  if (found === undefined) throw new CommandFailure(`The sandbox has no user ${quoted(user)}.`);
  return { id: String(found.id), name: String(found.email ?? found.id) };
}
