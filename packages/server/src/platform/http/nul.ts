import type { RequestHandler } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { sendFailure } from './failure.js';

const REFUSAL = 'holds the character U+0000, which no text here may have.';

/** The sentence about a body that holds NUL; PostgreSQL cannot even look for such a text. */
export const NUL_IN_BODY = `The body ${REFUSAL}`;

/** Whether a form's body (`application/x-www-form-urlencoded`) holds NUL, written out or as `%00`. */
export function formHoldsNul(body: Buffer): boolean {
  return body.includes(0) || body.includes('%00');
}

/** Whether a string in a JSON text is written with the escape of NUL. Unescaped it would not be JSON. */
export function jsonHoldsNul(body: Buffer): boolean {
  return body.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(body.toString());
}

/** Refuses an address that holds NUL with 400, in the shape of its surface. */
export function refuseNulInAddress(dependencies: Dependencies): RequestHandler {
  return (request, response, next) => {
    if (!request.originalUrl.includes('%00')) return next();
    sendFailure(dependencies, { request, response }, { status: 400, message: `The address ${REFUSAL}` });
  };
}
