import type { DataRecord } from '@latchkey/sandbox';
import { CommandFailure } from '../command-line/command-failure.js';
import { quoted } from '../command-line/text.js';
import type { ControlClient } from './control-client.js';

/** Objects that a trigger changes, as flags name them. */
export interface TriggerTarget {
  /** Email address or id. */
  readonly user?: string;
  readonly community?: string;
  readonly product?: string;
  readonly membership?: string;
  /** Milliseconds since the epoch. */
  readonly until?: number;
}

/** Community or product of a new membership. */
type Subject = { productType: string; communityId?: string; productId?: string };

/**
 * Finds a user by email address or id.
 *
 * @throws CommandFailure if there is none.
 */
export async function findUser(
  client: ControlClient,
  { user = '' }: TriggerTarget,
): Promise<{ id: string; name: string }> {
  const wanted = user.toLowerCase();
  const found = (await client.records('users')).find(
    ({ id, email }) => id === wanted || String(email).toLowerCase() === wanted,
  );
  if (found === undefined) throw new CommandFailure(`The sandbox has no user ${quoted(user)}.`);
  return { id: String(found.id), name: String(found.email ?? found.id) };
}

/**
 * Finds the community or product of a new membership. Without one, it is the only community of the sandbox.
 *
 * @throws CommandFailure if it does not exist, or several could be meant.
 */
export async function findSubject(
  client: ControlClient,
  { community, product }: TriggerTarget,
): Promise<Subject> {
  if (product !== undefined) {
    const found = byId(await client.records('products'), product);
    if (found === undefined) throw new CommandFailure(`The sandbox has no product ${quoted(product)}.`);
    return { productType: 'digital_product', productId: String(found.id) };
  }
  const communities = await client.records('communities');
  const [only, ...others] = communities;
  const found = community === undefined && others.length === 0 ? only : byId(communities, community ?? '');
  if (found !== undefined) return { productType: 'community', communityId: String(found.id) };
  throw new CommandFailure(
    community === undefined
      ? `Add --community or --product. ${choices('communities', communities)}`
      : `The sandbox has no community ${quoted(community)}. ${choices('communities', communities)}`,
  );
}

/**
 * Finds the membership to change, by its id or by its user and perhaps community or product.
 *
 * @throws CommandFailure if there is none, or several could be meant.
 */
export async function findMembership(client: ControlClient, target: TriggerTarget): Promise<DataRecord> {
  const { membership, community, product } = target;
  const memberships = await client.records('memberships');
  if (membership !== undefined) {
    const found = byId(memberships, membership);
    if (found !== undefined) return found;
    throw new CommandFailure(`The sandbox has no membership ${quoted(membership)}.`);
  }
  const user = await findUser(client, target);
  const [found, ...others] = memberships.filter(
    ({ userId, communityId, productId }) =>
      userId === user.id &&
      (community === undefined || communityId === community.toLowerCase()) &&
      (product === undefined || productId === product.toLowerCase()),
  );
  if (found === undefined) throw new CommandFailure(`${user.name} has no such membership.`);
  if (others.length === 0) return found;
  throw new CommandFailure(
    `${user.name} has several memberships. Choose one with --membership. ${choices('memberships', [found, ...others])}`,
  );
}

function byId(records: readonly DataRecord[], id: string): DataRecord | undefined {
  return records.find((record) => record.id === id.toLowerCase());
}

/** Sentence that lists records to choose from. */
export function choices(kind: string, records: readonly DataRecord[]): string {
  const names = records
    .slice(0, 10)
    .map(({ id, name, productType }) => `${id} (${String(name ?? productType)})`);
  return names.length === 0 ? `There are no ${kind}.` : `The ${kind} are ${names.join(', ')}.`;
}
