import type { Response } from 'express';

type ErrorCode =
  | 'sign_in_required'
  | 'membership_required'
  | 'membership_pending'
  | 'membership_unknown'
  | 'insufficient_scope'
  | 'invalid_request'
  | 'not_opened'
  | 'invalid_grant'
  | 'cross_site_request'
  | 'method_not_allowed'
  | 'sign_in_failed'
  | 'plan_unknown'
  | 'email_required'
  | 'already_member'
  | 'already_paid'
  | 'checkout_refused'
  | 'not_bought_here'
  | 'chat_unavailable'
  | 'service_refused'
  | 'service_unavailable';

/** Body of every JSON error of this package. */
export interface ErrorBody {
  error: ErrorCode;
  message: string;
  /** Sent with `membership_required` and `membership_unknown`: the page that sells the membership. */
  upgradeUrl?: string;
  /** Sent with `membership_unknown`: running memberships that aren't in the directory, newest first. */
  membershipIds?: readonly string[];
  /** Sent with `insufficient_scope`. */
  missingScopes?: readonly string[];
  /** Sent by the checkout with `sign_in_required` and `insufficient_scope`: the URL to sign in at. */
  signInUrl?: string;
  /** Sent with `already_member` and `already_paid`: the page that the membership opens. */
  continueUrl?: string;
}

export function sendError(response: Response, status: number, body: ErrorBody): void {
  if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '5');
  response.status(status).json(body);
}

/** Marks a response that depends on the session as uncacheable. */
export function forbidCaching(response: Response): void {
  response.setHeader('Cache-Control', 'private, no-store');
  if (response.hasHeader('Vary')) response.vary('Cookie');
  else response.setHeader('Vary', 'Cookie');
}
