import type { Answer } from './answer.js';

/** What an answer says. */
export type AnswerVerdict =
  | { readonly kind: 'done'; readonly data: unknown }
  | { readonly kind: 'rejected' | 'failed' | 'failed_in_success' | 'unreadable_answer' };

/**
 * Tells what an answer is: by its status first, then by its body (spec, "Errors"). First match wins:
 *
 * | status | body                                    | it is                                               |
 * | ------ | --------------------------------------- | --------------------------------------------------- |
 * | 5xx    | any                                     | failed: also a proxy's page says it by its status    |
 * | any    | no JSON object                          | not the service's: unreadable_answer                 |
 * | 2xx    | `success` false                         | failed_in_success                                    |
 * | 2xx    | `errorCode`, and no `data`              | failed_in_success                                    |
 * | 2xx    | any other object                        | done, with or without `data`                         |
 * | 4xx    | `errorCode`                             | failed: only the endpoint itself sends one           |
 * | 4xx    | any other object                        | rejected before the endpoint ran                     |
 */
export function judgeAnswer({ status, body }: Answer): AnswerVerdict {
  if (status >= 500) return { kind: 'failed' };
  if (body === undefined || status < 200) return { kind: 'unreadable_answer' };
  const hasErrorCode = typeof body.errorCode === 'string';
  if (status >= 400) return { kind: hasErrorCode ? 'failed' : 'rejected' };
  const hasData = body.data !== undefined && body.data !== null;
  if (body.success === false || (hasErrorCode && !hasData)) return { kind: 'failed_in_success' };
  return { kind: 'done', data: body.data };
}
