import type { CheckoutPlan } from './checkout-plan.js';

/** Result of `POST /auth/checkout`. */
export type CheckoutResult = { kind: 'opened'; checkoutUrl: string } | CheckoutRejection;

/** Result of a request that opens no checkout. */
export type CheckoutRejection =
  | { kind: 'cross_site' }
  | { kind: 'invalid'; message: string }
  | { kind: 'plan_unknown' }
  | { kind: 'signed_out' }
  | { kind: 'missing_scope'; scopes: readonly string[] }
  | { kind: 'email_required'; plan: CheckoutPlan; isInvalid: boolean }
  | { kind: 'already_member'; plan: CheckoutPlan }
  /** `isTyped`: the account has no address, so the membership is bound to one that the visitor typed. */
  | { kind: 'already_paid'; plan: CheckoutPlan; wasMember: boolean; isTyped: boolean }
  /** The service rejected the key or the plan. */
  | { kind: 'refused'; plan: CheckoutPlan }
  | { kind: 'unavailable'; plan: CheckoutPlan };
