import type { ServiceResponse } from './service-response.js';

/** Result of a call according to its response. The failures are codes of `LatchkeyApiError`. */
export type ResponseResult =
  | { readonly kind: 'success'; readonly data: unknown }
  | { readonly kind: 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer' };

/**
 * Classifies a response by its status, then by its body (spec, "Errors"). The first matching row applies:
 *
 * | status | body                        | result                                             |
 * | ------ | --------------------------- | -------------------------------------------------- |
 * | 5xx    | any                         | failed, also for the HTML page of a proxy          |
 * | any    | not a JSON object           | unreadable_answer: the service did not send it     |
 * | 2xx    | `success` false             | failed_in_success                                  |
 * | 2xx    | `errorCode`, and no `data`  | failed_in_success                                  |
 * | 2xx    | any other object            | success, with or without `data`                    |
 * | 4xx    | `errorCode`                 | failed, because only the endpoint itself sends one |
 * | 400, 401, 403 | any other object     | rejected before the endpoint ran                   |
 * | 4xx    | `statusCode` or `path`      | rejected before the endpoint ran                   |
 * | 4xx    | any other object            | failed: every key of the envelope is optional      |
 */
export function classifyResponse({ status, body }: ServiceResponse): ResponseResult {
  if (status >= 500) return { kind: 'failed' };
  if (body === undefined || status < 200) return { kind: 'unreadable_answer' };
  const hasErrorCode = typeof body.errorCode === 'string';
  if (status >= 400) return { kind: !hasErrorCode && isRejection(status, body) ? 'rejected' : 'failed' };
  const hasData = body.data !== undefined && body.data !== null;
  if (body.success === false || (hasErrorCode && !hasData)) return { kind: 'failed_in_success' };
  return { kind: 'success', data: body.data };
}

/** Statuses that an endpoint itself responds with only together with an `errorCode` (spec, "Status codes"). */
const REJECTION_STATUSES = [400, 401, 403];

/** True for the body of a rejection (spec, "Pre-endpoint rejection body"), which has keys that the envelope has not. */
function isRejection(status: number, body: object): boolean {
  return REJECTION_STATUSES.includes(status) || 'statusCode' in body || 'path' in body;
}
