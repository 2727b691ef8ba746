import {
  buyPlan,
  checkMessenger,
  inviteLink,
  KEY_ENDPOINTS,
  type KeyEndpointName,
  mainCommunity,
  missingPermissions,
  missingRoles,
  provision,
  withoutPermission,
  withoutRole,
} from '../calls/api-key-calls.js';
import * as shared from '../calls/shared-observations.js';
import { type Answer, dataOf, Missing, requireFixture, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, type Observe, once } from '../session/session.js';

function isRefusal({ status }: Answer): boolean {
  return status >= 400 && status < 500;
}

/** A request without a permission is rejected, and the same with the full key isn't. Other rules are about the status. */
function needsPermissions(name: KeyEndpointName): Observe {
  return async (session) => {
    for (const permission of KEY_ENDPOINTS[name].permissions) {
      const answer = await withoutPermission(session, name, permission);
      expect.that(
        isRefusal(answer) && answer.status !== 404,
        `a refusal without ${permission}`,
        answer.status,
      );
    }
    const allowed = await KEY_ENDPOINTS[name].send(session);
    expect.that(![401, 403].includes(allowed.status), 'no refusal of the full key', allowed.status);
  };
}

function needsRole(name: KeyEndpointName): Observe {
  return check(
    (session) => withoutRole(session, name),
    (answer) => expect.that(isRefusal(answer), 'a refusal without a role in the community', answer.status),
  );
}

function rejectedKey(kind: 'missing' | 'malformed' | 'unknown'): Observe {
  return check(shared.rejectedKeys, (answers) => expect.rejection(answers[kind], 401));
}

/** Each of the responses has status 403. At least one fixture must show one. */
function expectForbidden(answers: readonly Answer[], fixture: string): void {
  if (answers.length === 0) throw new Missing(`needs fixtures.${fixture}`);
  for (const answer of answers) expect.status(answer, 403);
}

const revokedKey = once(async (session) => {
  const { keyId, apiKey } = await session.drive('createKey', { permissions: ['MEMBERSHIP_READ'] });
  const before = await checkMessenger(session, {}, { key: apiKey });
  await session.drive('revokeKey', { keyId });
  return { apiKey, before, after: await checkMessenger(session, {}, { key: apiKey }) };
});

const PROBES = checksOf('probe', {
  async 'api-key.prefix'({ fixtures: { app, keys, serviceNames } }) {
    const key = requireFixture(app.apiKey ?? keys.full, 'keys.full');
    const { apiKeyPrefix } = serviceNames;
    expect.that(key.startsWith(apiKeyPrefix), `a key that begins with ${apiKeyPrefix}`, 'another beginning');
  },
  'api-key.missing-key': rejectedKey('missing'),
  'api-key.malformed-key': rejectedKey('malformed'),
  'api-key.unknown-key': rejectedKey('unknown'),
  'api-key.rejected-key-no-error-code': check(shared.rejectedKeys, (answers) => {
    for (const answer of Object.values(answers)) expect.absent(answer, 'errorCode');
  }),
  'check-messenger.result-is-active': check(shared.checkMember, (answer) => {
    const isActive = dataOf(answer, 'isActive');
    expect.that(typeof isActive === 'boolean', 'the boolean `isActive`', isActive);
  }),
});

const READS = checksOf('read', {
  'api-key.bearer-header': check(shared.unknownReservation, ({ status }) =>
    expect.that(status !== 401, 'no 401 for a key in Authorization: Bearer', status),
  ),
  async 'api-key.missing-permission'(session) {
    mainCommunity(session);
    expectForbidden(await missingPermissions(session), 'keys.without.MEMBERSHIP_READ');
  },
  async 'api-key.missing-role'(session) {
    mainCommunity(session);
    expectForbidden(await missingRoles(session), 'keys.outsider');
  },
  'api-key.role-checked': needsRole('checkMessenger'),
  async 'api-key.two-checks-independent'(session) {
    const permission = await withoutPermission(session, 'checkMessenger', 'MEMBERSHIP_READ');
    expect.that(
      isRefusal(permission),
      'a refusal of an administrator without the permission',
      permission.status,
    );
    const role = await withoutRole(session, 'checkMessenger');
    expect.that(isRefusal(role), 'a refusal of a key with the permission and without the role', role.status);
  },
  'api-key.check-messenger-permission': [needsPermissions('checkMessenger'), needsRole('checkMessenger')],
  'api-key.invite-link-permission': needsPermissions('inviteLink'),
  async 'api-key.administered-communities'(session) {
    const { foreign } = session.fixtures.communities;
    const { id } = requireFixture(foreign, 'communities.foreign');
    const answer = await checkMessenger(session, { communityId: id });
    expect.refused(answer, 'a refusal for a community that the owner does not administer');
    const own = await checkMessenger(session, {});
    expect.accepted(own, 'success for a community that the owner administers');
  },
  async 'api-key.belongs-to-user'(session) {
    const main = mainCommunity(session);
    const second = requireFixture(session.fixtures.communities.second, 'communities.second');
    for (const { id } of [main, second]) {
      const answer = await checkMessenger(session, { communityId: id });
      expect.accepted(answer, `success for the community ${id}`);
    }
  },
  async 'api-key.no-rate-limit'(session) {
    for (let count = 0; count < 5; count += 1) {
      const answer = await inviteLink(session, `unknown-${session.newId()}`);
      expect.that(answer.status !== 429, 'no 429', answer.status);
    }
  },
  'api-key.status-not-found': check(shared.unknownReservation, (answer) => expect.status(answer, 404)),
  'check-messenger.community-id': check(shared.malformedPath, ({ status }) =>
    expect.that(status === 400, '400 for a communityId that is not a UUID', status),
  ),
  async 'check-messenger.messenger-user-id'(session) {
    for (const account of ['abc', '1.5']) {
      const answer = await checkMessenger(session, { account });
      expect.that(answer.status === 400, `400 for the account ${account}`, answer.status);
    }
  },
});

const WRITES = checksOf('write', {
  'api-key.provision-permission': [needsPermissions('provision'), needsRole('provision')],
  'api-key.buy-plan-permission': [needsPermissions('buyPlan'), needsRole('buyPlan')],
  'api-key.drop-signup-permission': [needsPermissions('dropSignup'), needsRole('dropSignup')],
  async 'api-key.revoked-key'(session) {
    const revoked = session.fixtures.keys.revoked;
    const answer =
      revoked === undefined
        ? (await revokedKey(session)).after
        : await checkMessenger(session, {}, { key: revoked });
    expect.rejection(answer, 401);
  },
  'api-key.revocation-immediate': check(revokedKey, ({ before, after }) => {
    requireSuccess(before);
    expect.refused(after, 'no success right after the revocation');
  }),
  async 'api-key.status-conflict'(session) {
    expect.status((await shared.overlapError(session)).answer, 409);
    expect.status(await shared.signedUpTwice(session), 409);
  },
  async 'check-messenger.point-in-time'(session) {
    const account = session.newMessengerUserId();
    const isActive = async () => dataOf(await checkMessenger(session, { account }), 'isActive');
    const before = await isActive();
    requireSuccess(await provision(session, { [session.messengerField]: account }));
    const after = await isActive();
    expect.that(
      before === false && after === true,
      'isActive false before and true after',
      `${before}, ${after}`,
    );
    const upcoming = await checkMessenger(session, {
      account: (await shared.upcomingBuyer(session)).account,
    });
    expect.that(
      dataOf(upcoming, 'isActive') !== true,
      'isActive false before the start of the membership',
      upcoming.json,
    );
  },
  async 'check-messenger.result-membership-id'(session) {
    const { buyer, answer } = await shared.created(session);
    const account = Number(buyer[session.messengerField]);
    const found = requireSuccess(await checkMessenger(session, { account }));
    const membershipId = dataOf(answer, 'membershipId');
    expect.that(
      valueAt(found, 'data', 'membershipId') === membershipId,
      `membershipId ${membershipId}`,
      found.json,
    );
    const none = requireSuccess(await checkMessenger(session, { account: session.newMessengerUserId() }));
    expect.that(valueAt(none, 'data', 'membershipId') === null, 'null without a membership', none.json);
  },
  async 'buy-plan.rejections'(session) {
    const unknown = await buyPlan(session, {}, { key: 'not-a-key' });
    expect.status(unknown, 401);
    expect.status(await withoutPermission(session, 'buyPlan', 'CHECKOUT_WRITE'), 403);
    expect.status(await withoutRole(session, 'buyPlan'), 403);
  },
});

export const apiKeyChecks = [...PROBES, ...READS, ...WRITES];
