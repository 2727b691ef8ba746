import type { CommunityRole } from './community.js';

/** Role of a user in a community, active or inactive. */
export interface RoleHolder {
  userId: string;
  role: CommunityRole;
  isActive: boolean;
}

/** Change of roles that an owner requests. */
export type RoleChange =
  | { kind: 'add'; userId: string; role: CommunityRole }
  | { kind: 'set-role'; userId: string; role: CommunityRole }
  | { kind: 'set-active'; userId: string; isActive: boolean }
  | { kind: 'remove'; userId: string };

/** Result of {@link decideRoleChange}. */
export type RoleDecision =
  /** The role to store; null removes it. */
  | { kind: 'changed'; userId: string; holder: RoleHolder | null }
  /** The actor is not an active owner. */
  | { kind: 'not-owner' }
  /** The user to add already has a role. */
  | { kind: 'already' }
  /** The user has no role. */
  | { kind: 'unknown' }
  /** No active owner would remain. */
  | { kind: 'last-owner' };

/**
 * Decides a change of roles. Only an active owner may change roles, and one active owner must remain. The transaction
 * that read the roles writes the result.
 */
export function decideRoleChange(
  roles: readonly RoleHolder[],
  actorId: string,
  change: RoleChange,
): RoleDecision {
  const isActiveOwner = ({ role, isActive }: RoleHolder) => role === 'OWNER' && isActive;
  if (!roles.some((holder) => holder.userId === actorId && isActiveOwner(holder)))
    return { kind: 'not-owner' };
  const current = roles.find(({ userId }) => userId === change.userId);
  if (change.kind === 'add') {
    if (current !== undefined) return { kind: 'already' };
    const holder = { userId: change.userId, role: change.role, isActive: true };
    return { kind: 'changed', userId: change.userId, holder };
  }
  if (current === undefined) return { kind: 'unknown' };
  const holder = changedHolder(current, change);
  const others = roles.filter(({ userId }) => userId !== change.userId);
  if (![...others, ...(holder === null ? [] : [holder])].some(isActiveOwner)) return { kind: 'last-owner' };
  return { kind: 'changed', userId: change.userId, holder };
}

function changedHolder(current: RoleHolder, change: Exclude<RoleChange, { kind: 'add' }>): RoleHolder | null {
  if (change.kind === 'remove') return null;
  return change.kind === 'set-role'
    ? { ...current, role: change.role }
    : { ...current, isActive: change.isActive };
}
