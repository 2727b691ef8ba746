import type { Request, Response } from 'express';

/** True for a browser navigation, false for `fetch`, curl and everything that does not prefer HTML to JSON. */
export function prefersHtml(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

/** Error codes of the kit's JSON answers. */
export type KitErrorCode =
  | 'sign_in_required'
  | 'membership_required'
  | 'membership_pending'
  | 'insufficient_scope'
  | 'invalid_request'
  | 'invalid_grant'
  | 'cross_site_request'
  | 'method_not_allowed'
  | 'sign_in_failed'
  | 'service_refused'
  | 'service_unavailable';

/** Body of the kit's JSON errors. */
export interface ErrorBody {
  /** In snake_case. */
  error: KitErrorCode;
  message: string;
  /** With `membership_required`: where it can be got. */
  upgradeUrl?: string;
  /** With `insufficient_scope`. */
  missingScopes?: readonly string[];
}

/** Answers with an error as JSON. */
export function sendError(response: Response, status: number, body: ErrorBody): void {
  if (status === 503 && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '5');
  response.status(status).json(body);
}

/** Keeps an answer that depends on the session out of every cache. */
export function forbidCaching(response: Response): void {
  response.setHeader('Cache-Control', 'private, no-store');
  if (response.hasHeader('Vary')) response.vary('Cookie');
  else response.setHeader('Vary', 'Cookie');
}
