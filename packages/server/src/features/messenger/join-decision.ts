export interface JoinFacts {
  readonly messengerUserId: number;
  readonly buyerAccount: number | null;
  /** True if the requesting account belongs to another user of the service. */
  readonly isOthersAccount: boolean;
  readonly isMember: boolean;
  readonly hasExpired: boolean;
  /** True if the link may give a buyer without a messenger account one in this community. */
  readonly bindsAccount: boolean;
}

export type JoinDecision =
  /** `bindsAccount`: the requesting account becomes the buyer's. */
  { kind: 'accepted'; bindsAccount: boolean } | { kind: 'rejected'; reason: JoinRejectionReason };

export type JoinRejectionReason =
  | 'expired'
  | 'not-a-member'
  | 'other-account'
  | 'account-taken'
  | 'no-account';

/**
 * Decides a join request (spec, invite-link endpoint, rule 6). The first matching row applies:
 *
 * | link or buyer                                        | decision                   |
 * |------------------------------------------------------|----------------------------|
 * | the link has expired                                 | rejected: `expired`        |
 * | the buyer is no longer a member                      | rejected: `not-a-member`   |
 * | the buyer has the requesting account                 | accepted                   |
 * | the buyer has another account                        | rejected: `other-account`  |
 * | no account; the requesting one belongs to another user | rejected: `account-taken` |
 * | no account; the link may not bind one                | rejected: `no-account`     |
 * | no account                                           | accepted, account bound    |
 */
export function decideJoinRequest(facts: JoinFacts): JoinDecision {
  if (facts.hasExpired) return rejected('expired');
  if (!facts.isMember) return rejected('not-a-member');
  if (facts.buyerAccount === facts.messengerUserId) return { kind: 'accepted', bindsAccount: false };
  if (facts.buyerAccount !== null) return rejected('other-account');
  if (facts.isOthersAccount) return rejected('account-taken');
  return facts.bindsAccount ? { kind: 'accepted', bindsAccount: true } : rejected('no-account');
}

function rejected(reason: JoinRejectionReason): JoinDecision {
  return { kind: 'rejected', reason };
}
