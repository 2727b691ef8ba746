import type { CommunityRole } from './communities.js';

/** Somebody's role in a community, active or not. */
export interface RoleHolder {
  userId: string;
  role: CommunityRole;
  isActive: boolean;
}

/** What an owner wants of a role: given, changed, switched off or on, or taken away. */
export type RoleChange =
  | { kind: 'add'; userId: string; role: CommunityRole }
  | { kind: 'set-role'; userId: string; role: CommunityRole }
  | { kind: 'set-active'; userId: string; isActive: boolean }
  | { kind: 'remove'; userId: string };

/** `changed` carries the user's role as it is to be stored, or `null` when it is to be gone. */
export type RoleDecision =
  | { kind: 'changed'; userId: string; holder: RoleHolder | null }
  /** Whoever asks is no active owner. */
  | { kind: 'not-owner' }
  /** The user to be added has a role already. */
  | { kind: 'already' }
  /** The user has no role to change. */
  | { kind: 'unknown' }
  /** Nobody would be left to manage the community. */
  | { kind: 'last-owner' };

/**
 * Decides a change of roles by those there are: only an active owner makes one, and one active owner must remain. Pure;
 * the transaction that reads the roles writes what this says.
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
