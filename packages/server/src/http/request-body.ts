import { REQUEST_BODY_MAX_BYTES } from '@latchkey/contract';
import express, { type Request, type RequestHandler } from 'express';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The body has a content type that the endpoint does not take. The message is for the caller. */
export class UnsupportedBodyError extends Error {
  readonly status = 415;
}

/**
 * Reads a body as json or form into `request.body`; repeated form fields become arrays. A body of any other type, or of
 * none, is refused with 415, one over 100 kB with 413, one that cannot be parsed with 400. Without a body there are no
 * parameters, whatever type is named.
 */
export const readApiBody: RequestHandler[] = [
  (request, _response, next) => {
    const isEmpty = request.get('Content-Length') === '0';
    if (isEmpty || request.is([JSON_TYPE, FORM_TYPE]) !== false) return next();
    next(new UnsupportedBodyError(`The body must be ${JSON_TYPE} or ${FORM_TYPE}.`));
  },
  express.json({ type: JSON_TYPE, limit: REQUEST_BODY_MAX_BYTES }),
  express.urlencoded({ type: FORM_TYPE, limit: REQUEST_BODY_MAX_BYTES, extended: false }),
];

/** Reads the body of a page's form; {@link formOf} gives its fields. */
export const readForm: RequestHandler = express.text({ type: FORM_TYPE, limit: REQUEST_BODY_MAX_BYTES });

/** The fields of a page's form, every repetition kept. Empty when the body was no form. */
export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}
