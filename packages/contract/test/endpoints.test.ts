import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import { PATHS, PERMISSIONS, SELECTABLE_PERMISSIONS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { accepts } from './schema-checks.js';

const endpoints = Object.entries<Endpoint>(ENDPOINTS);

describe('the endpoint table', () => {
  it('has twelve endpoints, with the paths of the constants entry', () => {
    expect(Object.fromEntries(endpoints.map(([name, { path }]) => [name, path]))).toEqual(PATHS);
    expect(endpoints).toHaveLength(12);
  });

  it('has five endpoints that require an API key', { tags: ['general.five-api-key-endpoints'] }, () => {
    const names = endpoints.filter(([, { auth }]) => auth.kind === 'api-key').map(([name]) => name);
    expect(names).toEqual(['provisionExternal', 'inviteLink', 'checkMessenger', 'buyPlan', 'dropSignup']);
  });

  it('has seven OAuth endpoints', { tags: ['general.seven-oauth-endpoints'] }, () => {
    const paths = endpoints.filter(([, { auth }]) => auth.kind !== 'api-key').map(([, { path }]) => path);
    expect(paths).toHaveLength(7);
    expect(paths.every((path) => path.startsWith('/oauth/'))).toBe(true);
  });

  it('contains the permissions of each API-key endpoint', {
    tags: [
      'api-key.provision-permission',
      'api-key.invite-link-permission',
      'api-key.check-messenger-permission',
      'api-key.buy-plan-permission',
      'api-key.drop-signup-permission',
    ],
  }, () => {
    expect(ENDPOINTS.provisionExternal.auth).toMatchObject({
      permissions: ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'],
      communityRole: true,
    });
    expect(ENDPOINTS.inviteLink.auth).toMatchObject({
      permissions: ['MEMBERSHIP_WRITE'],
      communityRole: false,
    });
    expect(ENDPOINTS.checkMessenger.auth).toMatchObject({
      permissions: ['MEMBERSHIP_READ'],
      communityRole: true,
    });
    expect(ENDPOINTS.buyPlan.auth).toMatchObject({ permissions: ['CHECKOUT_WRITE'], communityRole: true });
    expect(ENDPOINTS.dropSignup.auth).toMatchObject({
      permissions: ['DROP_NOTIFICATION_WRITE'],
      communityRole: true,
    });
  });

  it('has four selectable permissions, without provisioning', {
    tags: ['api-key.selectable-permissions', 'api-key.private-permission'],
  }, () => {
    expect(SELECTABLE_PERMISSIONS).toHaveLength(4);
    expect(PERMISSIONS.filter((name) => !SELECTABLE_PERMISSIONS.some((other) => other === name))).toEqual([
      'MEMBERSHIP_PROVISION',
    ]);
  });

  it('contains the scopes of the resource endpoints', {
    tags: ['memberships.scope', 'products.scope', 'userinfo.no-scope'],
  }, () => {
    expect(ENDPOINTS.memberships.auth).toEqual({ kind: 'access-token', scope: 'memberships.read' });
    expect(ENDPOINTS.products.auth).toEqual({ kind: 'access-token', scope: 'products.read' });
    expect(ENDPOINTS.userinfo.auth).toEqual({ kind: 'access-token' });
  });

  it('has the success status 201 for token, buy-plan and drop signup, 302 for authorize, else 200', {
    tags: [
      'token.success-created',
      'buy-plan.success-created',
      'drop-signup.success-created',
      'provision.success-ok',
    ],
  }, () => {
    const statuses = Object.fromEntries(endpoints.map(([name, { success }]) => [name, success.status]));
    expect(statuses).toEqual({
      provisionExternal: 200,
      inviteLink: 200,
      checkMessenger: 200,
      buyPlan: 201,
      dropSignup: 201,
      authorize: 302,
      token: 201,
      revoke: 200,
      userinfo: 200,
      memberships: 200,
      products: 200,
      clientIdentity: 200,
    });
  });

  it('has a schema for every path parameter, and no other', () => {
    for (const [name, { path, request }] of endpoints) {
      expect(request.path !== undefined, name).toBe(path.includes('{'));
    }
  });

  it('has no version in paths', { tags: ['versioning.no-path-prefix'] }, () => {
    expect(endpoints.filter(([, { path }]) => /\/v\d/.test(path))).toEqual([]);
  });

  it('has one format for rejections with 400, 401 and 403', { tags: ['rejection.before-endpoint'] }, () => {
    const rejection = {
      success: false,
      message: 'no',
      statusCode: 403,
      timestamp: '2026-01-31T09:30:15.000Z',
      path: '/x',
    };
    for (const [name, { auth, failures }] of endpoints) {
      if (auth.kind !== 'api-key') continue;
      for (const status of [400, 401, 403]) {
        const views = failures[status];
        expect(views && accepts(views.strict, rejection), `${name} ${status}`).toBe(true);
      }
    }
  });

  it('has a 401 with errorCode unauthorized only for the invite link', {
    tags: ['invite-link.not-a-member', 'api-key.rejected-key-no-error-code'],
  }, () => {
    const notAMember = { success: false, errorCode: 'unauthorized', message: 'Not a member.' };
    const names = endpoints.filter(
      ([, { failures }]) => failures[401] && accepts(failures[401].strict, notAMember),
    );
    expect(names.map(([name]) => name)).toEqual(['inviteLink']);
  });

  it('has no 429', { tags: ['api-key.no-rate-limit'] }, () => {
    expect(endpoints.filter(([, { failures }]) => 429 in failures)).toEqual([]);
  });

  it('has an invalid_client without description for revoke, and with one for token', {
    tags: ['revoke.invalid-client-no-description', 'token.error-status'],
  }, () => {
    const bare = { error: 'invalid_client' };
    const described = { error: 'invalid_client', error_description: 'The client is unknown.' };
    expect(accepts(ENDPOINTS.revoke.failures[401].strict, bare)).toBe(true);
    expect(accepts(ENDPOINTS.revoke.failures[401].strict, described)).toBe(false);
    expect(accepts(ENDPOINTS.token.failures[401].strict, described)).toBe(true);
    expect(accepts(ENDPOINTS.token.failures[400].strict, described)).toBe(false);
  });
});
