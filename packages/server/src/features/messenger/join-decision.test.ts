import { describe, expect, it } from 'vitest';
import { decideJoinRequest, type JoinDecision, type JoinFacts } from './join-decision.js';

/** A buyer without a messenger account, and a link that may bind one. */
const facts: JoinFacts = {
  messengerUserId: 7,
  buyerAccount: null,
  isOthersAccount: false,
  isMember: true,
  hasExpired: false,
  bindsAccount: true,
};

const accepted = (bindsAccount: boolean): JoinDecision => ({ kind: 'accepted', bindsAccount });
const rejected = (reason: Extract<JoinDecision, { kind: 'rejected' }>['reason']): JoinDecision => ({
  kind: 'rejected',
  reason,
});

describe('decision on a join request', () => {
  it.for<[string, Partial<JoinFacts>, JoinDecision]>([
    ['binds the first account', {}, accepted(true)],
    ['accepts the buyer’s account', { buyerAccount: 7 }, accepted(false)],
    ['accepts the buyer’s account by any link', { buyerAccount: 7, bindsAccount: false }, accepted(false)],
    ['rejects another account of the buyer', { buyerAccount: 8 }, rejected('other-account')],
    ['rejects the account of another user', { isOthersAccount: true }, rejected('account-taken')],
    [
      'checks the buyer’s account before the account of another user',
      { buyerAccount: 8, isOthersAccount: true },
      rejected('other-account'),
    ],
    ['binds no account by a link that may not', { bindsAccount: false }, rejected('no-account')],
    [
      'rejects a buyer whose membership is over',
      { buyerAccount: 7, isMember: false },
      rejected('not-a-member'),
    ],
    [
      'rejects an expired link first',
      { buyerAccount: 7, isMember: false, hasExpired: true },
      rejected('expired'),
    ],
  ])('%s', ([, changes, expected]) => {
    expect(decideJoinRequest({ ...facts, ...changes })).toEqual(expected);
  });
});
