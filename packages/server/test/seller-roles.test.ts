import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { assignRole, changeRole, listRoles } from '../src/features/communities/roles.js';
import { callWithKey, keyWith } from './api-key-requests.js';
import { withDatabase } from './emitted-events.js';
import { textOf } from './pages/page-document.js';
import {
  acceptInvitation,
  answerInvitation,
  COMMUNITY,
  createAccount,
  errorsIn,
  fieldIn,
  invitationsIn,
  noticeIn,
  sellerOf,
  tableIn,
} from './seller-area.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community } = sandboxScenario;
const ROLES = `${COMMUNITY}/roles`;
const CHANGE = `${ROLES}/change`;

/** Returns the status of a request about the community with a new key of Ada's. */
async function keyStatusOfAda(service: ServiceUnderTest): Promise<() => Promise<number>> {
  const key = await keyWith(service, ['MEMBERSHIP_READ'], users.ada.id);
  const path = PATHS.checkMessenger
    .replace('{communityId}', community.id)
    .replace('{messengerUserId}', '1001');
  return async () => (await callWithKey(service, { path, key })).status;
}

describe('roles of a community', () => {
  it('are granted, disabled, enabled and removed by an owner, and the holder’s API keys follow at once', {
    tags: [
      'api-key.administered-communities',
      'api-key.role-checked',
      'api-key.belongs-to-user',
      'api-key.missing-role',
    ],
  }, async ({ service }) => {
    const dana = await sellerOf(service);
    const status = await keyStatusOfAda(service);
    expect(await status()).toBe(403);
    const $ = await dana.submit(ROLES, { email: ' Ada@Example.com ', role: 'ADMIN' });
    expect(noticeIn($)).toBe(
      'Invitation saved. We e-mail the address once, unless its holder or our limits prevent it.',
    );
    expect(tableIn($, 'Roles')).toHaveLength(1);
    expect(tableIn($, 'Invitations')).toEqual([
      'ada@example.com | Admin | Pending | 12 Jun 2026 | Withdraw the invitation of ada@example.com',
    ]);
    expect(await status()).toBe(403);
    await acceptInvitation(service, users.ada.email);
    expect(tableIn(await dana.page(ROLES), 'Roles')[1]).toBe(
      'Ada Member ada@example.com | Admin | Active | Change the role of Ada Member',
    );
    expect(await status()).toBe(200);
    for (const [change, expected] of [
      ['deactivate', 403],
      ['reactivate', 200],
      ['owner', 200],
      ['remove', 403],
    ] as const) {
      await dana.submit(CHANGE, { userId: users.ada.id, change });
      expect([change, await status()]).toEqual([change, expected]);
    }
    expect(tableIn(await dana.page(ROLES), 'Roles')).toHaveLength(1);
  });

  it('need a valid address and role: the form shows the errors and keeps the typed text', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const $ = await dana.refused(ROLES, { email: 'no address', role: 'OWNER' });
    expect([fieldIn($, 'email'), fieldIn($, 'role')]).toEqual(['no address', 'OWNER']);
    expect(tableIn(await dana.page(ROLES), 'Roles')).toHaveLength(1);
    expect(errorsIn(await dana.refused(ROLES, { email: 'no address', role: 'BOSS' }))).toEqual([
      '#email Enter an e-mail address such as name@example.com.',
      '#role Choose OWNER or ADMIN.',
    ]);
  });

  it('that were offered to an admin are withdrawn when the admin’s address changes', async ({ service }) => {
    const dana = await sellerOf(service);
    const before = users.ada.email;
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.ada.id,
      role: 'ADMIN',
    });
    await dana.submit(ROLES, { email: before, role: 'OWNER' });
    const ada = await sellerOf(service, before);
    const after = 'ada.after@example.com';
    await ada.post('/account/email', { email: after });
    const code = service.server.mailbox?.latestFor(after)?.code ?? '';
    await ada.submit('/account/email/confirm', { code });
    await dana.submit(CHANGE, { userId: users.ada.id, change: 'remove' });
    await createAccount(service, before);
    const stranger = await sellerOf(service, before);
    expect(invitationsIn(await stranger.page('/account'))).toEqual([]);
  });

  it('cannot be an owner’s, nor can the community be closed, by a session that was left open', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    const closing = { confirmation: community.name };
    service.clock.advance(10 * 60_000 + 1);
    for (const [path, fields] of [
      [ROLES, { email: 'thief@example.com', role: 'OWNER' }],
      [`${COMMUNITY}/close`, closing],
    ] as const) {
      const $ = await dana.refused(path, fields, 403);
      expect(textOf($, 'h1')).toBe('Sign in again');
    }
    await dana.submit(ROLES, { email: users.ada.email, role: 'ADMIN' });
    await acceptInvitation(service, users.ada.email);
    await dana.refused(CHANGE, { userId: users.ada.id, change: 'owner' }, 403);
    expect(tableIn(await dana.page(ROLES), 'Invitations')).toEqual([]);
    const again = await sellerOf(service);
    await again.submit(CHANGE, { userId: users.ada.id, change: 'owner' });
    await again.submit(`${COMMUNITY}/close`, closing);
  });

  it('that were offered to an admin end with the admin’s account', async ({ service }) => {
    const dana = await sellerOf(service);
    const { email, id: userId } = users.ada;
    await service.server.operator.assignRole({ communityId: community.id, userId, role: 'ADMIN' });
    await dana.submit(ROLES, { email, role: 'OWNER' });
    const ada = await sellerOf(service, email);
    expect(invitationsIn(await ada.page('/account'))).toHaveLength(1);
    expect((await ada.post('/account/delete', { email })).status).toBe(200);
    await createAccount(service, email);
    expect(invitationsIn(await (await sellerOf(service, email)).page('/account'))).toEqual([]);
  });

  it('are granted once per user', async ({ service }) => {
    const dana = await sellerOf(service);
    const $ = await dana.refused(ROLES, { email: users.dana.email, role: 'ADMIN' });
    expect(errorsIn($)).toEqual(['#email This user already has a role. Change it in the list of roles.']);
  });

  it('are visible to an admin, who cannot change them', async ({ service }) => {
    await (await sellerOf(service)).submit(ROLES, { email: users.ada.email, role: 'ADMIN' });
    await acceptInvitation(service, users.ada.email);
    const ada = await sellerOf(service, 'ada@example.com');
    const $ = await ada.page(ROLES);
    expect(tableIn($, 'Roles')).toHaveLength(2);
    expect($(`main form`)).toHaveLength(0);
    for (const [path, fields] of [
      [ROLES, { email: users.ben.email, role: 'ADMIN' }],
      [ROLES, { email: 'nobody@example.com', role: 'ADMIN' }],
      [CHANGE, { userId: users.ada.id, change: 'owner' }],
      [CHANGE, { userId: users.dana.id, change: 'remove' }],
    ] as const) {
      expect(textOf(await ada.refused(path, fields, 403), 'h1')).toBe('Only an owner can change roles');
    }
    expect(tableIn(await ada.page(ROLES), 'Roles')).toEqual(tableIn($, 'Roles'));
  });

  it('always include an active owner', async ({ service }) => {
    const dana = await sellerOf(service);
    await dana.submit(ROLES, { email: users.ada.email, role: 'OWNER' });
    await acceptInvitation(service, users.ada.email);
    await dana.submit(CHANGE, { userId: users.ada.id, change: 'deactivate' });
    expect(tableIn(await dana.page(ROLES), 'Roles')).toContain(
      'Dana Owner (you) dana@example.com | Owner | Active | Only active owner',
    );
    for (const change of ['admin', 'deactivate', 'remove']) {
      const $ = await dana.refused(CHANGE, { userId: users.dana.id, change }, 409);
      expect(errorsIn($)).toEqual([
        `#role-${users.dana.id} This user is the only active owner. Make another user an owner first.`,
      ]);
    }
    await dana.submit(CHANGE, { userId: users.ada.id, change: 'reactivate' });
    await acceptInvitation(service, users.ada.email);
    // A user who gives up the own role is redirected to a page that is still allowed.
    const home = await dana.submit(CHANGE, { userId: users.dana.id, change: 'remove' });
    expect(textOf(home, 'h1')).toBe('Communities and products');
    expect((await dana.get(ROLES)).status).toBe(404);
  });

  it('become those of an owner by acceptance only, also for an admin and after a pause', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    await dana.submit(ROLES, { email: users.ada.email, role: 'ADMIN' });
    await acceptInvitation(service, users.ada.email);
    const rolesOf = async () =>
      tableIn(await dana.page(ROLES), 'Roles')
        .map((row) => row.split(' | ').slice(1, 3).join())
        .sort();
    const $ = await dana.submit(CHANGE, { userId: users.ada.id, change: 'owner' });
    expect(noticeIn($)).toContain('The person becomes an owner by accepting it.');
    expect(await rolesOf()).toEqual(['Admin,Active', 'Owner,Active']);
    expect(errorsIn(await dana.refused(CHANGE, { userId: users.ada.id, change: 'owner' }, 409))).toEqual([
      `#role-${users.ada.id} This address is already invited. To change the invitation, withdraw it and invite again.`,
    ]);
    await acceptInvitation(service, users.ada.email);
    expect(await rolesOf()).toEqual(['Owner,Active', 'Owner,Active']);
    await dana.submit(CHANGE, { userId: users.ada.id, change: 'deactivate' });
    await dana.submit(CHANGE, { userId: users.ada.id, change: 'reactivate' });
    expect(await rolesOf()).toEqual(['Owner,Active', 'Owner,Inactive']);
    await acceptInvitation(service, users.ada.email);
    expect(await rolesOf()).toEqual(['Owner,Active', 'Owner,Active']);
  });

  it('lose the open invitation to become an owner when they are taken away, deactivated or given up', async ({
    service,
  }) => {
    const dana = await sellerOf(service);
    for (const take of ['remove', 'deactivate', 'resign']) {
      await dana.submit(ROLES, { email: users.ada.email, role: 'ADMIN' });
      await acceptInvitation(service, users.ada.email);
      await dana.submit(CHANGE, { userId: users.ada.id, change: 'owner' });
      const ada = await sellerOf(service, users.ada.email);
      expect(invitationsIn(await ada.page('/account'))).toHaveLength(1);
      if (take === 'resign') await ada.submit(`/account/roles/${community.id}/resign`);
      else await dana.submit(CHANGE, { userId: users.ada.id, change: take });
      expect([take, invitationsIn(await ada.page('/account'))]).toEqual([take, []]);
      if (take === 'deactivate') await dana.submit(CHANGE, { userId: users.ada.id, change: 'remove' });
    }
  });

  it('of an owner come from the operator, too, as an invitation, unless there is no owner', async ({
    service,
    db,
  }) => {
    const { operator } = service.server;
    const id = `${community.id}~${users.ada.id}`;
    const roles = async () => (await operator.list('roles', { communityId: community.id })).records;
    const role = { communityId: community.id, userId: users.ada.id, role: 'OWNER' } as const;
    await operator.create('roles', role);
    await operator.assignRole(role);
    await operator.change('roles', id, { role: 'OWNER' });
    expect(await roles()).toContainEqual(expect.objectContaining({ userId: users.ada.id, role: 'ADMIN' }));
    await acceptInvitation(service, users.ada.email);
    expect(await roles()).toContainEqual(expect.objectContaining({ userId: users.ada.id, role: 'OWNER' }));
    await operator.change('roles', id, { isActive: false });
    await operator.change('roles', id, { isActive: true });
    expect(await roles()).toContainEqual(expect.objectContaining({ userId: users.ada.id, isActive: false }));
    const dana = { ...role, userId: users.dana.id } as const;
    for (const less of [{ role: 'ADMIN' }, { isActive: false }] as const) {
      await expect(operator.assignRole({ ...dana, ...less })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('needs an active owner'),
      });
    }
    await assignRole(db, { ...dana, role: 'ADMIN', isActive: true });
    await operator.assignRole({ ...role, userId: users.ben.id });
    expect(await roles()).toContainEqual(expect.objectContaining({ userId: users.ben.id, role: 'OWNER' }));
    const nobody = await operator.createUser({ email: 'zoe@example.com' });
    await operator.assignRole({ ...role, userId: nobody.id, role: 'ADMIN' });
    for (let times = 0; times < 2; times += 1) {
      await operator.change('roles', `${community.id}~${nobody.id}`, { role: 'OWNER' });
    }
    await answerInvitation(service, { email: 'zoe@example.com', answer: 'decline' });
    await expect(
      operator.change('roles', `${community.id}~${nobody.id}`, { role: 'OWNER' }),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('declined') });
  });

  it('of an unknown user cannot be changed, and an unchanged role is no change', async ({ service }) => {
    const dana = await sellerOf(service);
    for (const fields of [
      { userId: users.ben.id, change: 'remove' },
      { userId: 'none', change: 'remove' },
      { userId: users.dana.id, change: 'promote' },
      {},
    ]) {
      expect((await dana.post(CHANGE, fields as Record<string, string>)).status).toBe(404);
    }
  });

  it('keep one of two owners who demote each other at once', async ({ service }) => {
    for (let round = 0; round < 8; round += 1) {
      const dana = await sellerOf(service);
      const { id: communityId } = await service.server.operator.createCommunity({
        name: `Club ${round}`,
        ownerId: users.dana.id,
      });
      const roles = `/seller/communities/${communityId}/roles`;
      await dana.submit(roles, { email: users.ada.email, role: 'OWNER' });
      await acceptInvitation(service, users.ada.email);
      const ada = await sellerOf(service, 'ada@example.com');
      const answers = await Promise.all([
        dana.post(`${roles}/change`, { userId: users.ada.id, change: 'admin' }),
        ada.post(`${roles}/change`, { userId: users.dana.id, change: 'admin' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
      const held = tableIn(await dana.page(roles), 'Roles').map((row) => row.split(' | ')[1]);
      expect(held.sort()).toEqual(['Admin', 'Owner']);
    }
  });
});

describe('role change in the database', () => {
  withDatabase(
    'runs in its own transaction: one of many concurrent changes that would remove every owner is rejected',
    async ({ db }) => {
      const actorOf = (userId: string) => ({ communityId: community.id, userId });
      const everybody = [users.ada.id, users.ben.id, users.cleo.id, users.dana.id];
      for (const userId of everybody.slice(0, 3)) {
        await assignRole(db, { communityId: community.id, userId, role: 'OWNER', isActive: true });
      }
      const decisions = await Promise.all(
        everybody.map((userId) => changeRole(db, actorOf(userId), { kind: 'remove', userId })),
      );
      expect(decisions.map((decision) => decision?.kind).sort()).toEqual([
        'changed',
        'changed',
        'changed',
        'last-owner',
      ]);
      const left = await listRoles(db, community.id);
      expect(left.rows.filter(({ role, isActive }) => role === 'OWNER' && isActive)).toHaveLength(1);
    },
  );
});
