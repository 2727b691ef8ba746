import { describe, expect, it } from 'vitest';
import { type JoinFacts, judgeJoinRequest } from '../../src/domain/messenger/join-decision.js';

/** Buyer without an account, and a link that may assign one. */
const facts: JoinFacts = {
  messengerUserId: 7,
  buyerAccount: null,
  isOthersAccount: false,
  isMember: true,
  hasExpired: false,
  bindsAccount: true,
};

describe('decision on a join request', () => {
  it.for<[string, Partial<JoinFacts>, string]>([
    ['links the first account', {}, 'bound'],
    ['accepts the buyer’s account', { buyerAccount: 7 }, 'accepted'],
    ['accepts the buyer’s account with any link', { buyerAccount: 7, bindsAccount: false }, 'accepted'],
    ['rejects another account', { buyerAccount: 8 }, 'other-account'],
    ['rejects an account of another user', { isOthersAccount: true }, 'account-taken'],
    [
      'reports the buyer’s other account before the owner of the sent one',
      { buyerAccount: 8, isOthersAccount: true },
      'other-account',
    ],
    ['links no account with a link that may not', { bindsAccount: false }, 'no-account'],
    ['rejects an expired membership', { buyerAccount: 7, isMember: false }, 'not-a-member'],
    [
      'rejects an expired link before any other check',
      { buyerAccount: 7, isMember: false, hasExpired: true },
      'expired',
    ],
  ])('%s', ([, changes, expected]) => {
    const verdict = judgeJoinRequest({ ...facts, ...changes });
    const outcome = verdict.accepted ? (verdict.binds ? 'bound' : 'accepted') : verdict.reason;
    expect(outcome).toBe(expected);
  });
});
