import {
  buyPlan,
  checkMessenger,
  fullKey,
  inviteLink,
  mainCommunity,
  provision,
} from '../calls/api-key-calls.js';
import {
  type KeyEndpointName,
  missingPermissions,
  missingRoles,
  permissionsOf,
  permitted,
  withoutPermission,
  withoutRole,
} from '../calls/refused-requests.js';
import {
  created,
  malformedPath,
  overlapError,
  rejectedKeys,
  signedUpTwice,
  unknownReservation,
  upcomingBuyer,
} from '../calls/shared-observations.js';
import { Missing } from '../outcome/outcome-errors.js';
import { type Answer, valueAt } from '../session/answer.js';
import {
  expectAbsent,
  expectRejection,
  expectStatus,
  expectThat,
  requireFixture,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

function isRefusal({ status }: Answer): boolean {
  return status >= 400 && status < 500;
}

/** A request without a permission is refused, and one of the full key is not. Other rules are about the status. */
async function expectPermissions(session: Session, name: KeyEndpointName): Promise<void> {
  for (const permission of permissionsOf(name)) {
    const answer = await withoutPermission(session, name, permission);
    expectThat(isRefusal(answer) && answer.status !== 404, `a refusal without ${permission}`, answer.status);
  }
  const allowed = await permitted(session, name);
  expectThat(![401, 403].includes(allowed.status), 'no refusal of the full key', allowed.status);
}

async function expectRole(session: Session, name: KeyEndpointName): Promise<void> {
  const answer = await withoutRole(session, name);
  expectThat(isRefusal(answer), 'a refusal without a role in the community', answer.status);
}

/** Each of the answers has status 403. At least one fixture must show one. */
function expectForbidden(answers: readonly Answer[], fixture: string): void {
  if (answers.length === 0) throw new Missing(`needs fixtures.${fixture}`);
  for (const answer of answers) expectStatus(answer, 403);
}

/** A key that the driver created and revoked. */
function revokedKey(session: Session) {
  return session.once('revoked key', async () => {
    const { keyId, apiKey } = await session.drive('createKey', { permissions: ['MEMBERSHIP_READ'] });
    const before = await checkMessenger(session, {}, { key: apiKey });
    await session.drive('revokeKey', { keyId });
    return { apiKey, before, after: await checkMessenger(session, {}, { key: apiKey }) };
  });
}

export const apiKeyReadChecks = checksOf('read', {
  async 'api-key.bearer-header'(session) {
    const answer = await unknownReservation(session);
    expectThat(answer.status !== 401, 'no 401 for a key in Authorization: Bearer', answer.status);
  },
  async 'api-key.prefix'(session) {
    const { apiKeyPrefix } = session.fixtures.serviceNames;
    const key = fullKey(session);
    expectThat(key.startsWith(apiKeyPrefix), `a key that begins with ${apiKeyPrefix}`, key.slice(0, 4));
  },
  async 'api-key.missing-key'(session) {
    expectRejection((await rejectedKeys(session)).missing, 401);
  },
  async 'api-key.malformed-key'(session) {
    expectRejection((await rejectedKeys(session)).malformed, 401);
  },
  async 'api-key.unknown-key'(session) {
    expectRejection((await rejectedKeys(session)).unknown, 401);
  },
  async 'api-key.rejected-key-no-error-code'(session) {
    const { missing, malformed, unknown } = await rejectedKeys(session);
    for (const answer of [missing, malformed, unknown]) expectAbsent(answer, 'errorCode');
  },
  async 'api-key.missing-permission'(session) {
    mainCommunity(session);
    expectForbidden(await missingPermissions(session), 'keys.without.MEMBERSHIP_READ');
  },
  async 'api-key.missing-role'(session) {
    mainCommunity(session);
    expectForbidden(await missingRoles(session), 'keys.outsider');
  },
  async 'api-key.role-checked'(session) {
    await expectRole(session, 'checkMessenger');
  },
  async 'api-key.two-checks-independent'(session) {
    const permission = await withoutPermission(session, 'checkMessenger', 'MEMBERSHIP_READ');
    expectThat(
      isRefusal(permission),
      'a refusal of an administrator without the permission',
      permission.status,
    );
    const role = await withoutRole(session, 'checkMessenger');
    expectThat(isRefusal(role), 'a refusal of a key with the permission and without the role', role.status);
  },
  async 'api-key.check-messenger-permission'(session) {
    await expectPermissions(session, 'checkMessenger');
    await expectRole(session, 'checkMessenger');
  },
  async 'api-key.invite-link-permission'(session) {
    await expectPermissions(session, 'inviteLink');
  },
  async 'api-key.administered-communities'(session) {
    const { foreign } = session.fixtures.communities;
    const { id } = requireFixture(foreign, 'communities.foreign');
    const answer = await checkMessenger(session, { communityId: id });
    expectThat(
      answer.status >= 400,
      'a refusal for a community that the owner does not administer',
      answer.status,
    );
    const own = await checkMessenger(session, {});
    expectThat(own.status < 300, 'success for a community that the owner administers', own.status);
  },
  async 'api-key.belongs-to-user'(session) {
    const { main, second } = session.fixtures.communities;
    for (const { id } of [
      requireFixture(main, 'communities.main'),
      requireFixture(second, 'communities.second'),
    ]) {
      const answer = await checkMessenger(session, { communityId: id });
      expectThat(answer.status < 300, `success for the community ${id}`, answer.status);
    }
  },
  async 'api-key.no-rate-limit'(session) {
    for (let count = 0; count < 5; count += 1) {
      const answer = await inviteLink(session, `unknown-${session.newId()}`);
      expectThat(answer.status !== 429, 'no 429', answer.status);
    }
  },
  async 'api-key.status-not-found'(session) {
    expectStatus(await unknownReservation(session), 404);
  },
  async 'check-messenger.community-id'(session) {
    const answer = await malformedPath(session);
    expectThat(answer.status === 400, '400 for a communityId that is not a UUID', answer.status);
  },
  async 'check-messenger.messenger-user-id'(session) {
    for (const account of ['abc', '1.5']) {
      const answer = await checkMessenger(session, { account });
      expectThat(answer.status === 400, `400 for the account ${account}`, answer.status);
    }
  },
  async 'check-messenger.result-is-active'(session) {
    const answer = requireSuccess(await checkMessenger(session, { account: 1 }));
    const isActive = valueAt(answer, 'data', 'isActive');
    expectThat(typeof isActive === 'boolean', 'the boolean `isActive`', isActive);
  },
});

export const apiKeyWriteChecks = checksOf('write', {
  async 'api-key.provision-permission'(session) {
    await expectPermissions(session, 'provision');
    await expectRole(session, 'provision');
  },
  async 'api-key.buy-plan-permission'(session) {
    await expectPermissions(session, 'buyPlan');
    await expectRole(session, 'buyPlan');
  },
  async 'api-key.drop-signup-permission'(session) {
    await expectPermissions(session, 'dropSignup');
    await expectRole(session, 'dropSignup');
  },
  async 'api-key.revoked-key'(session) {
    const revoked = session.fixtures.keys.revoked;
    const answer =
      revoked === undefined
        ? (await revokedKey(session)).after
        : await checkMessenger(session, {}, { key: revoked });
    expectRejection(answer, 401);
  },
  async 'api-key.revocation-immediate'(session) {
    const { before, after } = await revokedKey(session);
    requireSuccess(before);
    expectThat(after.status >= 400, 'no success right after the revocation', after.status);
  },
  async 'api-key.status-conflict'(session) {
    expectStatus((await overlapError(session)).answer, 409);
    expectStatus(await signedUpTwice(session), 409);
  },
  async 'check-messenger.point-in-time'(session) {
    const account = session.newMessengerUserId();
    const isActive = async () =>
      valueAt(requireSuccess(await checkMessenger(session, { account })), 'data', 'isActive');
    const before = await isActive();
    requireSuccess(await provision(session, { [session.messengerField]: account }));
    const after = await isActive();
    expectThat(
      before === false && after === true,
      'isActive false before and true after',
      `${before}, ${after}`,
    );
    const upcoming = await checkMessenger(session, { account: (await upcomingBuyer(session)).account });
    expectThat(
      valueAt(requireSuccess(upcoming), 'data', 'isActive') !== true,
      'isActive false before the start of the membership',
      upcoming.json,
    );
  },
  async 'check-messenger.result-membership-id'(session) {
    const { buyer, answer } = await created(session);
    const account = Number(buyer[session.messengerField]);
    const found = requireSuccess(await checkMessenger(session, { account }));
    const membershipId = valueAt(requireSuccess(answer), 'data', 'membershipId');
    expectThat(
      valueAt(found, 'data', 'membershipId') === membershipId,
      `membershipId ${membershipId}`,
      found.json,
    );
    const none = requireSuccess(await checkMessenger(session, { account: session.newMessengerUserId() }));
    expectThat(valueAt(none, 'data', 'membershipId') === null, 'null without a membership', none.json);
  },
  async 'buy-plan.rejections'(session) {
    const unknown = await buyPlan(session, {}, { key: 'not-a-key' });
    expectStatus(unknown, 401);
    expectStatus(await withoutPermission(session, 'buyPlan', 'CHECKOUT_WRITE'), 403);
    expectStatus(await withoutRole(session, 'buyPlan'), 403);
  },
});
