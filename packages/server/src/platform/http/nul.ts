import type { RequestHandler } from 'express';
import { HttpFailure } from './http-failure.js';

const NUL_MESSAGE = 'contains the character U+0000, which is not allowed.';

/** Message for a body that contains NUL. PostgreSQL can neither store nor compare such a text. */
export const NUL_IN_BODY = `The body ${NUL_MESSAGE}`;

/** True if a form's body (`application/x-www-form-urlencoded`) contains NUL, unescaped or as `%00`. */
export function formContainsNul(body: Buffer): boolean {
  return body.includes(0) || body.includes('%00');
}

/** True if a JSON text contains the escape of NUL. An unescaped NUL is not valid JSON. */
export function jsonContainsNul(body: Buffer): boolean {
  return body.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(body.toString());
}

/** Rejects a URL that contains U+0000 with 400. */
export const rejectNulInUrl: RequestHandler = ({ originalUrl }, _response, next) => {
  if (originalUrl.includes('%00')) throw new HttpFailure(400, `The address ${NUL_MESSAGE}`);
  next();
};
