import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { decideRoleChange, isActiveOwner, type RoleChange, type RoleHolder } from './role-change.js';

const userId = fc.constantFrom('a', 'b', 'c', 'd');
const role = fc.constantFrom('OWNER' as const, 'ADMIN' as const);
const roles = fc.uniqueArray(fc.record({ userId, role, isActive: fc.boolean() }), {
  selector: (holder) => holder.userId,
});
const change: fc.Arbitrary<RoleChange> = fc.oneof(
  fc.record({ kind: fc.constant('resign' as const), userId }),
  fc.record({ kind: fc.constant('set-role' as const), userId, role }),
  fc.record({ kind: fc.constant('set-active' as const), userId, isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), userId }),
);

describe('role change', () => {
  test.prop([roles, userId, change], fuzzRuns(100))(
    'is allowed to active owners only, or to give up the own role, and never removes the last active owner',
    (before, actor, wanted) => {
      const decision = decideRoleChange(before, actor, wanted);
      if (decision.kind !== 'changed') return;
      if (wanted.kind === 'resign' && wanted.userId === actor) expect(decision.holder).toBeNull();
      else expect(before.filter(isActiveOwner).map((holder) => holder.userId)).toContain(actor);
      if (!before.some(isActiveOwner)) return;
      const others = before.filter((holder) => holder.userId !== decision.userId);
      // Nobody becomes an active owner through someone else's change.
      const holders = before.filter((holder) => holder.userId === decision.userId);
      if (decision.holder !== null && isActiveOwner(decision.holder))
        expect(holders.some(isActiveOwner)).toBe(true);
      const after = decision.holder === null ? others : [...others, decision.holder];
      expect(after.some(isActiveOwner)).toBe(true);
    },
  );

  const dana = { userId: 'dana', role: 'OWNER', isActive: true } as const;
  const ada = { userId: 'ada', role: 'ADMIN', isActive: true } as const;

  it.each<[string, RoleHolder[], string, RoleChange, string]>([
    ['an admin gives up the own role', [dana, ada], 'ada', { kind: 'resign', userId: 'ada' }, 'changed'],
    [
      'a disabled role is given up',
      [dana, { ...ada, isActive: false }],
      'ada',
      { kind: 'resign', userId: 'ada' },
      'changed',
    ],
    [
      "an admin gives up another user's role",
      [dana, ada],
      'ada',
      { kind: 'resign', userId: 'dana' },
      'not-owner',
    ],
    [
      'the last owner gives up the own role',
      [dana, ada],
      'dana',
      { kind: 'resign', userId: 'dana' },
      'last-owner',
    ],
    ['a user without a role gives it up', [dana], 'ben', { kind: 'resign', userId: 'ben' }, 'unknown'],
    ['an admin removes', [dana, ada], 'ada', { kind: 'remove', userId: 'dana' }, 'not-owner'],
    ['an admin removes the own role', [dana, ada], 'ada', { kind: 'remove', userId: 'ada' }, 'not-owner'],
    [
      'a user without a role removes an owner',
      [dana],
      'ben',
      { kind: 'remove', userId: 'dana' },
      'not-owner',
    ],
    [
      'the role of an unknown user is changed',
      [dana],
      'dana',
      { kind: 'set-role', userId: 'ben', role: 'ADMIN' },
      'unknown',
    ],
    [
      'the last owner steps down',
      [dana, ada],
      'dana',
      { kind: 'set-role', userId: 'dana', role: 'ADMIN' },
      'last-owner',
    ],
    ['the last owner leaves', [dana, ada], 'dana', { kind: 'remove', userId: 'dana' }, 'last-owner'],
    [
      'the last owner is disabled',
      [dana],
      'dana',
      { kind: 'set-active', userId: 'dana', isActive: false },
      'last-owner',
    ],
    [
      'the last active owner leaves',
      [dana, { ...ada, role: 'OWNER', isActive: false }],
      'dana',
      { kind: 'remove', userId: 'dana' },
      'last-owner',
    ],
    [
      'a disabled owner removes another one',
      [
        { ...dana, isActive: false },
        { ...ada, role: 'OWNER' },
      ],
      'dana',
      { kind: 'remove', userId: 'ada' },
      'not-owner',
    ],
    [
      'an admin is to be an owner',
      [dana, ada],
      'dana',
      { kind: 'set-role', userId: 'ada', role: 'OWNER' },
      'needs-acceptance',
    ],
    [
      'an inactive owner is reactivated',
      [dana, { ...ada, role: 'OWNER', isActive: false }],
      'dana',
      { kind: 'set-active', userId: 'ada', isActive: true },
      'needs-acceptance',
    ],
    [
      'one of two owners leaves',
      [dana, { ...ada, role: 'OWNER' }],
      'dana',
      { kind: 'remove', userId: 'dana' },
      'changed',
    ],
  ])('when %s', (_name, before, actor, wanted, expected) => {
    expect(decideRoleChange(before, actor, wanted).kind).toBe(expected);
  });

  const both = [dana, { ...ada, role: 'OWNER' as const }];

  it.each<[string, RoleChange, RoleHolder | null]>([
    ['a removed role', { kind: 'remove', userId: 'ada' }, null],
    ['a role that its holder gives up', { kind: 'resign', userId: 'dana' }, null],
    ['another role', { kind: 'set-role', userId: 'ada', role: 'ADMIN' }, ada],
    [
      'an inactive role',
      { kind: 'set-active', userId: 'ada', isActive: false },
      { userId: 'ada', role: 'OWNER', isActive: false },
    ],
  ])('stores %s', (_name, wanted, holder) => {
    const { userId } = wanted;
    expect(decideRoleChange(both, 'dana', wanted)).toEqual({ kind: 'changed', userId, holder });
  });
});
