/** Rules that the checker proves. Each violation names one. */
export type Rule =
  | 'log is complete'
  | 'no internal error'
  | 'process survives'
  | 'acknowledged write is kept'
  | 'access follows the membership'
  | 'code is honoured once'
  | 'refresh token is honoured once'
  | 'revoked token is rejected'
  | 'expired credential is rejected'
  | 'valid credential is accepted'
  | 'event is delivered'
  | 'event id is stable'
  | 'event has a cause'
  | 'delivery is signed'
  | 'payment is charged once'
  | 'invite link follows the payment'
  | 'signup counts once'
  | 'product is bought once'
  | 'product access follows the payment'
  | 'purchase event is true'
  | 'paid time is kept'
  | 'refund is kept'
  | 'provider event counts once'
  | 'memory is flat';

/** Contradiction between the log and a rule. */
export interface Violation {
  rule: Rule;
  message: string;
}

/** Collects violations. */
export type Report = (rule: Rule, message: string) => void;
