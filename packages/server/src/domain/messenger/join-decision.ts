/** What is known when a messenger account asks to join with an invite link. */
export interface JoinFacts {
  /** The account that asks. */
  readonly messengerUserId: number;
  /** The buyer's account; null when they have none. */
  readonly buyerAccount: number | null;
  /** Whether the account that asks belongs to another user of the service. */
  readonly isOthersAccount: boolean;
  /** Whether the buyer is an active member of the community now. */
  readonly isMember: boolean;
  readonly hasExpired: boolean;
  /** Whether the link may give a buyer without messenger account one in this community. */
  readonly bindsAccount: boolean;
}

/** What a join request comes to; `binds` when the account becomes the buyer's. */
export type JoinVerdict = { accepted: true; binds: boolean } | { accepted: false; reason: JoinRefusal };

/** Why somebody is not let in. */
export type JoinRefusal = 'expired' | 'not-a-member' | 'other-account' | 'account-taken' | 'no-account';

/**
 * Decides a join request (spec, invite-link endpoint, rule 6); the first row that fits:
 *
 * | the link or the buyer                              | verdict                   |
 * |----------------------------------------------------|---------------------------|
 * | the link has expired                               | refused `expired`         |
 * | the buyer is a member no more                      | refused `not-a-member`    |
 * | the buyer has this account                         | accepted                  |
 * | the buyer has another account                      | refused `other-account`   |
 * | no account; the one that asks is somebody else's   | refused `account-taken`   |
 * | no account; the link may not give them one         | refused `no-account`      |
 * | no account                                         | accepted, and bound to it |
 */
export function judgeJoinRequest(facts: JoinFacts): JoinVerdict {
  if (facts.hasExpired) return refused('expired');
  if (!facts.isMember) return refused('not-a-member');
  if (facts.buyerAccount === facts.messengerUserId) return { accepted: true, binds: false };
  if (facts.buyerAccount !== null) return refused('other-account');
  if (facts.isOthersAccount) return refused('account-taken');
  return facts.bindsAccount ? { accepted: true, binds: true } : refused('no-account');
}

function refused(reason: JoinRefusal): JoinVerdict {
  return { accepted: false, reason };
}
