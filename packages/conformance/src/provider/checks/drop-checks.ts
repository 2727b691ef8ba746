import { provision, signUp } from '../calls/api-key-calls.js';
import {
  created,
  expectAccount,
  nowAtService,
  signedUp,
  signedUpTwice,
} from '../calls/shared-observations.js';
import {
  type Answer,
  dataOf,
  hasKey,
  requireFixture,
  requireSuccess,
  requireText,
  valueAt,
} from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, field, invalid, type Observe, once, type Session } from '../session/session.js';

async function slotField(session: Session, field: string): Promise<unknown> {
  return dataOf((await signedUp(session)).answer, 'dropSlotInfo', field);
}

const existingTwice = once(async (session) => {
  const { answer, buyer } = await created(session);
  requireSuccess(answer);
  const send = () => signUp(session, { email: buyer.email });
  return { first: await send(), second: await send() };
});

function usedSlots(answer: Answer) {
  const value = (field: string) => valueAt(answer, 'data', 'dropSlotInfo', field);
  return { id: value('id'), used: value('slotsUsed') };
}

const slot = (name: string, rule: (found: unknown, name: string) => void): Observe =>
  field(async (session) => (await signedUp(session)).answer, ['data', 'dropSlotInfo', name], rule);

function expectCount(found: unknown, name: string): void {
  const isCount = found === null || typeof found === 'number';
  expect.that(isCount, `${name} as a number, or null if unlimited`, found);
}

export const dropChecks = checksOf('write', {
  'drop-signup.success-created': check(signedUp, ({ answer }) => expect.status(requireSuccess(answer), 201)),
  async 'drop-signup.result-signed-up'(session) {
    const { answer } = await signedUp(session);
    expect.equal(dataOf(answer, 'signedUp'), true, 'signedUp of a new address');
    const account = requireSuccess((await existingTwice(session)).first);
    expect.equal(valueAt(account, 'data', 'signedUp'), false, 'signedUp of an address with an account');
  },
  async 'drop-signup.result-has-existing-account'(session) {
    const { answer } = await signedUp(session);
    expect.that(
      dataOf(answer, 'hasExistingAccount') !== true,
      'no hasExistingAccount of a new address',
      true,
    );
    const account = requireSuccess((await existingTwice(session)).first);
    expect.equal(valueAt(account, 'data', 'hasExistingAccount'), true, 'hasExistingAccount of an account');
  },
  'drop-signup.result-slot-info': check(signedUp, ({ answer }) => {
    const info = dataOf(answer, 'dropSlotInfo');
    expect.that(typeof info === 'object' && info !== null, 'the object dropSlotInfo', info);
  }),
  'drop-signup.slot-id': slot('id', expect.text),
  'drop-signup.slot-slots': slot('slots', expectCount),
  'drop-signup.slot-slots-used': slot('slotsUsed', (used, name) =>
    expect.that(typeof used === 'number', `${name} as a number`, used),
  ),
  'drop-signup.slot-available': slot('availableSlots', expectCount),
  'drop-signup.slot-starts-at': slot('startsAt', expect.timestamp),
  'drop-signup.slot-ends-at': slot('endsAt', (end, name) => end !== null && expect.timestamp(end, name)),
  async 'drop-signup.slot-currently-active'(session) {
    const now = await nowAtService(session);
    const [start, end] = [await slotField(session, 'startsAt'), await slotField(session, 'endsAt')];
    const isRunning = Date.parse(String(start)) <= now && (typeof end !== 'string' || Date.parse(end) > now);
    expect.equal(await slotField(session, 'isCurrentlyActive'), isRunning, 'dropSlotInfo.isCurrentlyActive');
  },
  'drop-signup.slot-notification': slot('dropNotification', (found, name) =>
    expect.that(typeof found === 'object', `${name} as an object or null`, found),
  ),
  async 'drop-signup.slot-user-has-notification'(session) {
    const { answer } = await signedUp(session);
    if (!hasKey(requireSuccess(answer), 'data', 'dropSlotInfo', 'userHasNotification')) return;
    const found = await slotField(session, 'userHasNotification');
    expect.that(typeof found === 'boolean', 'dropSlotInfo.userHasNotification as a boolean', found);
  },
  async 'drop-signup.next-drop'(session) {
    const first = requireText((await signedUp(session)).answer, 'data', 'dropSlotInfo', 'id');
    const second = requireText(await signUp(session), 'data', 'dropSlotInfo', 'id');
    expect.equal(second, first, 'the drop of the next signup');
    const end = await slotField(session, 'endsAt');
    const hasEnded = typeof end === 'string' && Date.parse(end) <= (await nowAtService(session));
    expect.that(!hasEnded, 'a drop that has not ended', end);
  },
  'drop-signup.community-id': invalid(signUp, { communityId: undefined }, { communityId: 'not-a-uuid' }),
  'drop-signup.email': invalid(signUp, { email: undefined }, { email: 'not-an-address' }),
  async 'drop-signup.phone-number'(session) {
    const answer = await signUp(session, { phoneNumber: '+442079460018' });
    expect.accepted(answer, 'success with a phone number');
    expect.that(
      (await signedUp(session)).answer.status < 300,
      'success without a phone number',
      'no success',
    );
  },
  'drop-signup.existing-account': check(existingTwice, ({ first, second }) => {
    for (const answer of [first, second]) {
      expect.status(answer, 201);
      expect.equal(valueAt(answer, 'success'), true, 'success');
    }
    const [before, after] = [usedSlots(first), usedSlots(second)];
    if (before.id === after.id) expect.equal(after.used, before.used, 'slotsUsed without a signup');
  }),
  async 'drop-signup.existing-account-global'(session) {
    const { id } = requireFixture(session.fixtures.communities.second, 'communities.second');
    const email = session.newEmail();
    requireSuccess(await provision(session, { email, communityId: id }));
    await expectAccount(session, email, 'a member of another community');
  },
  'drop-signup.duplicate': check(signedUpTwice, (second) => {
    const found = `${second.status} ${String(valueAt(second, 'errorCode'))}`;
    expect.that(found === '409 already_exists', '409 already_exists', found);
  }),
});
