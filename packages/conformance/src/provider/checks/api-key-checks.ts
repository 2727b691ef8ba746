import type { Permission } from '@latchkey/contract/constants';
import {
  buyPlan,
  checkMessenger,
  fullKey,
  inviteLink,
  keyWithout,
  provision,
  signUp,
} from '../calls/api-key-calls.js';
import {
  created,
  malformedPath,
  missingPermission,
  missingRole,
  overlapError,
  rejectedKeys,
  signedUpTwice,
  unknownReservation,
} from '../calls/shared-observations.js';
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

type Send = (session: Session, key?: string) => Promise<Answer>;

const withKey = (key: string | undefined) => (key === undefined ? {} : { key });

/** Requests that are valid except for what the key lacks. */
const SEND = {
  provision: (session, key) => provision(session, {}, withKey(key)),
  inviteLink: (session, key) => inviteLink(session, `unknown-${session.newId()}`, withKey(key)),
  checkMessenger: (session, key) => checkMessenger(session, { account: 1 }, withKey(key)),
  buyPlan: (session, key) => buyPlan(session, {}, withKey(key)),
  dropSignup: (session, key) => signUp(session, {}, withKey(key)),
} satisfies Record<string, Send>;

/** A request of a key without the permission is refused, and one of the full key is not. */
async function expectPermission(
  session: Session,
  send: Send,
  permissions: readonly Permission[],
): Promise<void> {
  for (const permission of permissions) {
    const answer = await send(session, keyWithout(session, permission));
    expectThat(
      answer.status >= 400 && answer.status !== 404,
      `a refusal without ${permission}`,
      answer.status,
    );
  }
  const allowed = await send(session, undefined);
  expectThat(![401, 403].includes(allowed.status), 'no refusal of the full key', allowed.status);
}

function outsiderKey({ fixtures }: Session): string {
  return requireFixture(fixtures.keys.outsider, 'keys.outsider');
}

async function expectRole(session: Session, send: Send): Promise<void> {
  const answer = await send(session, outsiderKey(session));
  expectThat(answer.status >= 400, 'a refusal without a role in the community', answer.status);
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
    expectStatus(await missingPermission(session), 403);
  },
  async 'api-key.missing-role'(session) {
    outsiderKey(session);
    expectStatus(await missingRole(session), 403);
  },
  async 'api-key.role-checked'(session) {
    outsiderKey(session);
    const answer = await missingRole(session);
    expectThat(answer.status >= 400, 'a refusal without a role in the community', answer.status);
  },
  async 'api-key.two-checks-independent'(session) {
    const permission = await missingPermission(session);
    expectThat(
      permission.status >= 400,
      'a refusal of an administrator without the permission',
      permission.status,
    );
    outsiderKey(session);
    const role = await missingRole(session);
    expectThat(
      role.status >= 400,
      'a refusal of a key with the permission and without the role',
      role.status,
    );
  },
  async 'api-key.check-messenger-permission'(session) {
    await expectPermission(session, SEND.checkMessenger, ['MEMBERSHIP_READ']);
    await expectRole(session, SEND.checkMessenger);
  },
  async 'api-key.invite-link-permission'(session) {
    await expectPermission(session, SEND.inviteLink, ['MEMBERSHIP_WRITE']);
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
    for (const account of ['abc', '1.5', '-1']) {
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
    await expectPermission(session, SEND.provision, ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION']);
    await expectRole(session, SEND.provision);
  },
  async 'api-key.buy-plan-permission'(session) {
    await expectPermission(session, SEND.buyPlan, ['CHECKOUT_WRITE']);
    await expectRole(session, SEND.buyPlan);
  },
  async 'api-key.drop-signup-permission'(session) {
    await expectPermission(session, SEND.dropSignup, ['DROP_NOTIFICATION_WRITE']);
    await expectRole(session, SEND.dropSignup);
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
    expectStatus(await buyPlan(session, {}, { key: keyWithout(session, 'CHECKOUT_WRITE') }), 403);
    expectStatus(await buyPlan(session, {}, { key: outsiderKey(session) }), 403);
  },
});
