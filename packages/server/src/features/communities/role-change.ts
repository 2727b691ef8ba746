import type { CommunityRole } from './community.resource.js';

export interface RoleHolder {
  userId: string;
  role: CommunityRole;
  isActive: boolean;
}

/** A change of roles that an owner requests, or `resign`, with which users give up their own role. */
export type RoleChange =
  | { kind: 'resign'; userId: string }
  | { kind: 'set-role'; userId: string; role: CommunityRole }
  | { kind: 'set-active'; userId: string; isActive: boolean }
  | { kind: 'remove'; userId: string };

export type RoleDecision =
  | { kind: 'changed'; userId: string; holder: RoleHolder | null }
  /** The user would become an active owner, and has to accept that first. */
  | { kind: 'needs-acceptance'; userId: string }
  | { kind: 'not-owner' }
  | { kind: 'unknown' }
  | { kind: 'last-owner' };

/**
 * Decides a change of roles. Only an active owner may change roles, and one active owner must remain. Nobody becomes an
 * active owner through someone else's change, since the last owner can't give the role up: it always takes an
 * acceptance, even to reactivate an inactive owner. The transaction that read the roles writes the result.
 */
export function decideRoleChange(
  roles: readonly RoleHolder[],
  actorId: string,
  change: RoleChange,
): RoleDecision {
  const isOwn = change.kind === 'resign' && change.userId === actorId;
  if (!isOwn && !roles.some((holder) => holder.userId === actorId && isActiveOwner(holder)))
    return { kind: 'not-owner' };
  const current = roles.find(({ userId }) => userId === change.userId);
  if (current === undefined) return { kind: 'unknown' };
  const holder = changedHolder(current, change);
  if (holder !== null && isActiveOwner(holder) && !isActiveOwner(current))
    return { kind: 'needs-acceptance', userId: change.userId };
  const others = roles.filter(({ userId }) => userId !== change.userId);
  // A role that gives no access can always be given up.
  const loses = isActiveOwner(current);
  if (loses && ![...others, ...(holder === null ? [] : [holder])].some(isActiveOwner))
    return { kind: 'last-owner' };
  return { kind: 'changed', userId: change.userId, holder };
}

export function isActiveOwner({ role, isActive }: Pick<RoleHolder, 'role' | 'isActive'>): boolean {
  return role === 'OWNER' && isActive;
}

function changedHolder(current: RoleHolder, change: RoleChange): RoleHolder | null {
  if (change.kind === 'remove' || change.kind === 'resign') return null;
  return change.kind === 'set-role'
    ? { ...current, role: change.role }
    : { ...current, isActive: change.isActive };
}
