import { type Fields, provision, signUp } from '../calls/api-key-calls.js';
import { created, nowAtService, signedUp, signedUpTwice } from '../calls/shared-observations.js';
import { type Answer, hasKey, valueAt } from '../session/answer.js';
import {
  expectEqual,
  expectStatus,
  expectText,
  expectThat,
  expectTimestamp,
  requireFixture,
  requireSuccess,
  requireText,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';
import { shownFields } from '../session/shown-fields.js';

async function slotField(session: Session, field: string): Promise<unknown> {
  return valueAt(requireSuccess((await signedUp(session)).answer), 'data', 'dropSlotInfo', field);
}

/** A signup of an address that has an account. */
async function existing(session: Session): Promise<Answer> {
  return (await existingTwice(session)).first;
}

/** The same signup of an address with an account, twice. */
function existingTwice(session: Session) {
  return session.once('signups of an account', async () => {
    const { answer, buyer } = await created(session);
    requireSuccess(answer);
    const send = () => signUp(session, { email: buyer.email });
    return { first: await send(), second: await send() };
  });
}

/** Drop and number of used slots in the result of a signup. */
function usedSlots(answer: Answer) {
  const value = (field: string) => valueAt(answer, 'data', 'dropSlotInfo', field);
  return { id: value('id'), used: value('slotsUsed') };
}

async function expectInvalid(session: Session, bodies: readonly Fields[]): Promise<void> {
  for (const changes of bodies) {
    const answer = await signUp(session, changes);
    expectThat(answer.status === 400, `400 for ${shownFields(changes)}`, answer.status);
  }
}

function expectCount(found: unknown, name: string): void {
  const isCount = found === null || typeof found === 'number';
  expectThat(isCount, `${name} as a number, or null if unlimited`, found);
}

export const dropChecks = checksOf('write', {
  async 'drop-signup.success-created'(session) {
    expectStatus(requireSuccess((await signedUp(session)).answer), 201);
  },
  async 'drop-signup.result-signed-up'(session) {
    const { answer } = await signedUp(session);
    expectEqual(valueAt(requireSuccess(answer), 'data', 'signedUp'), true, 'signedUp of a new address');
    const account = requireSuccess(await existing(session));
    expectEqual(valueAt(account, 'data', 'signedUp'), false, 'signedUp of an address with an account');
  },
  async 'drop-signup.result-has-existing-account'(session) {
    const { answer } = await signedUp(session);
    expectThat(
      valueAt(requireSuccess(answer), 'data', 'hasExistingAccount') !== true,
      'no hasExistingAccount of a new address',
      true,
    );
    const account = requireSuccess(await existing(session));
    expectEqual(valueAt(account, 'data', 'hasExistingAccount'), true, 'hasExistingAccount of an account');
  },
  async 'drop-signup.result-slot-info'(session) {
    const { answer } = await signedUp(session);
    const info = valueAt(requireSuccess(answer), 'data', 'dropSlotInfo');
    expectThat(typeof info === 'object' && info !== null, 'the object dropSlotInfo', info);
  },
  async 'drop-signup.slot-id'(session) {
    expectText(await slotField(session, 'id'), 'dropSlotInfo.id');
  },
  async 'drop-signup.slot-slots'(session) {
    expectCount(await slotField(session, 'slots'), 'dropSlotInfo.slots');
  },
  async 'drop-signup.slot-slots-used'(session) {
    const used = await slotField(session, 'slotsUsed');
    expectThat(typeof used === 'number', 'dropSlotInfo.slotsUsed as a number', used);
  },
  async 'drop-signup.slot-available'(session) {
    expectCount(await slotField(session, 'availableSlots'), 'dropSlotInfo.availableSlots');
  },
  async 'drop-signup.slot-starts-at'(session) {
    expectTimestamp(await slotField(session, 'startsAt'), 'dropSlotInfo.startsAt');
  },
  async 'drop-signup.slot-ends-at'(session) {
    const end = await slotField(session, 'endsAt');
    if (end !== null) expectTimestamp(end, 'dropSlotInfo.endsAt');
  },
  async 'drop-signup.slot-currently-active'(session) {
    const now = await nowAtService(session);
    const [start, end] = [await slotField(session, 'startsAt'), await slotField(session, 'endsAt')];
    const isRunning = Date.parse(String(start)) <= now && (typeof end !== 'string' || Date.parse(end) > now);
    expectEqual(await slotField(session, 'isCurrentlyActive'), isRunning, 'dropSlotInfo.isCurrentlyActive');
  },
  async 'drop-signup.slot-notification'(session) {
    const notification = await slotField(session, 'dropNotification');
    expectThat(
      typeof notification === 'object',
      'dropSlotInfo.dropNotification as an object or null',
      notification,
    );
  },
  async 'drop-signup.slot-user-has-notification'(session) {
    const { answer } = await signedUp(session);
    if (!hasKey(requireSuccess(answer), 'data', 'dropSlotInfo', 'userHasNotification')) return;
    const found = await slotField(session, 'userHasNotification');
    expectThat(typeof found === 'boolean', 'dropSlotInfo.userHasNotification as a boolean', found);
  },
  async 'drop-signup.next-drop'(session) {
    const first = requireText((await signedUp(session)).answer, 'data', 'dropSlotInfo', 'id');
    const second = requireText(await signUp(session), 'data', 'dropSlotInfo', 'id');
    expectEqual(second, first, 'the drop of the next signup');
    const end = await slotField(session, 'endsAt');
    const hasEnded = typeof end === 'string' && Date.parse(end) <= (await nowAtService(session));
    expectThat(!hasEnded, 'a drop that has not ended', end);
  },
  async 'drop-signup.community-id'(session) {
    await expectInvalid(session, [{ communityId: undefined }, { communityId: 'not-a-uuid' }]);
  },
  async 'drop-signup.email'(session) {
    await expectInvalid(session, [{ email: undefined }, { email: 'not-an-address' }]);
  },
  async 'drop-signup.phone-number'(session) {
    const answer = await signUp(session, { phoneNumber: '+442079460018' });
    expectThat(answer.status < 300, 'success with a phone number', answer.status);
    expectThat((await signedUp(session)).answer.status < 300, 'success without a phone number', 'no success');
  },
  async 'drop-signup.existing-account'(session) {
    const { first, second } = await existingTwice(session);
    for (const answer of [first, second]) {
      expectStatus(answer, 201);
      expectEqual(valueAt(answer, 'success'), true, 'success');
    }
    const [before, after] = [usedSlots(first), usedSlots(second)];
    if (before.id === after.id) expectEqual(after.used, before.used, 'slotsUsed without a signup');
  },
  async 'drop-signup.existing-account-global'(session) {
    const { id } = requireFixture(session.fixtures.communities.second, 'communities.second');
    const email = session.newEmail();
    requireSuccess(await provision(session, { email, communityId: id }));
    const answer = requireSuccess(await signUp(session, { email }));
    expectEqual(
      valueAt(answer, 'data', 'hasExistingAccount'),
      true,
      'hasExistingAccount of a member of another community',
    );
  },
  async 'drop-signup.duplicate'(session) {
    const second = await signedUpTwice(session);
    const found = `${second.status} ${String(valueAt(second, 'errorCode'))}`;
    expectThat(found === '409 already_exists', '409 already_exists', found);
  },
});
