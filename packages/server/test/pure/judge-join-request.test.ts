import { describe, expect, it } from 'vitest';
import { type JoinFacts, judgeJoinRequest } from '../../src/domain/messenger/join-decision.js';

/** A buyer without account, and a link that may give them one. */
const facts: JoinFacts = {
  messengerUserId: 7,
  buyerAccount: null,
  isOthersAccount: false,
  isMember: true,
  hasExpired: false,
  bindsAccount: true,
};

describe('the decision on a join request', () => {
  it.for<[string, Partial<JoinFacts>, string]>([
    ['binds the first account', {}, 'bound'],
    ['accepts the buyer’s account', { buyerAccount: 7 }, 'accepted'],
    ['accepts it by any link', { buyerAccount: 7, bindsAccount: false }, 'accepted'],
    ['refuses another account', { buyerAccount: 8 }, 'other-account'],
    ['refuses somebody else’s account', { isOthersAccount: true }, 'account-taken'],
    [
      'tells of the buyer’s account before somebody else’s',
      { buyerAccount: 8, isOthersAccount: true },
      'other-account',
    ],
    ['binds nothing by a link that may not', { bindsAccount: false }, 'no-account'],
    ['refuses when the membership is over', { buyerAccount: 7, isMember: false }, 'not-a-member'],
    ['refuses an expired link before all', { buyerAccount: 7, isMember: false, hasExpired: true }, 'expired'],
  ])('%s', ([, changes, expected]) => {
    const verdict = judgeJoinRequest({ ...facts, ...changes });
    const outcome = verdict.accepted ? (verdict.binds ? 'bound' : 'accepted') : verdict.reason;
    expect(outcome).toBe(expected);
  });
});
