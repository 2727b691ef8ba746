import { PATHS } from '@latchkey/contract/constants';
import { SEED } from '../world/seed.ts';
import type { Caller, Reply } from './caller.ts';

const MINUTE_MS = 60_000;
const OVERLAPS = [undefined, 'extend', 'replace', 'error'] as const;

/** Member whose access a partner provisions. Its writes are sequential, its reads are not. */
export interface Member {
  readonly name: string;
  readonly email: string;
  readonly messengerUserId: number;
  /** Orders so far, oldest first. */
  readonly orders: string[];
  /** Id of the membership, once known. */
  membershipId?: string | undefined;
  /** True if the membership is known to be for life, so that ending it changes it. */
  isForLife: boolean;
}

export function createMember(number: number, seed: number): Member {
  const name = `member-${number}`;
  return {
    name,
    email: `${name}.${seed}@soak.example`,
    messengerUserId: 1_000_000 + number,
    orders: [],
    isForLife: false,
  };
}

interface Provisioning {
  externalOrderId: string;
  validUntil?: string;
  validFrom?: string;
  onOverlap?: string;
}

/** Provisions with a new order, or repeats an earlier one, with a random window and strategy. */
export async function provision(caller: Caller, member: Member): Promise<void> {
  const { random, world } = caller;
  const isRepeat = member.orders.length > 0 && random.chance(0.25);
  const externalOrderId = isRepeat
    ? random.pick(member.orders.slice(-3))
    : `${member.name}-order-${member.orders.length}`;
  if (!isRepeat) member.orders.push(externalOrderId);
  const now = Date.now() + world.aheadMs;
  const request: Provisioning = { externalOrderId };
  if (random.chance(0.7)) request.validUntil = iso(now + random.between(1, 90) * MINUTE_MS);
  if (random.chance(0.2)) request.validFrom = iso(now - random.between(-5, 30) * MINUTE_MS);
  const onOverlap = random.pick(OVERLAPS);
  if (onOverlap !== undefined) request.onOverlap = onOverlap;
  await sendProvisioning(caller, member, request);
}

/** Reads the stored membership through the API: the repetition of the newest order changes nothing. */
export async function repeatNewestOrder(caller: Caller, member: Member): Promise<void> {
  const externalOrderId = member.orders.at(-1);
  if (externalOrderId !== undefined) await sendProvisioning(caller, member, { externalOrderId });
}

async function sendProvisioning(caller: Caller, member: Member, request: Provisioning): Promise<void> {
  const { email, messengerUserId } = member;
  const reply = await caller.settle({
    op: 'provision',
    subject: member.name,
    input: { ...request },
    path: PATHS.provisionExternal,
    key: true,
    json: { communityId: SEED.community.id, email, messengerUserId, ...request },
    output: resultOf,
  });
  member.isForLife = false;
  if (reply.status !== 200) return;
  const { membershipId, validUntil } = reply.body.data as { membershipId: string; validUntil: string | null };
  Object.assign(member, { membershipId, isForLife: validUntil === null });
}

export async function checkMessenger(caller: Caller, member: Member): Promise<void> {
  await caller.call({
    op: 'check-messenger',
    subject: member.name,
    input: {},
    path: PATHS.checkMessenger
      .replace('{communityId}', SEED.community.id)
      .replace('{messengerUserId}', String(member.messengerUserId)),
    key: true,
    output: resultOf,
  });
}

/** Fields of the payload, and the error. */
export function resultOf({ body }: Reply): Record<string, unknown> {
  const { data, errorCode, message } = body;
  return {
    ...(data as object),
    ...(errorCode !== undefined && { errorCode }),
    ...(data == null && { message }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
