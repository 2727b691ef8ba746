import { isUtf8 } from 'node:buffer';
import { REQUEST_BODY_MAX_BYTES } from '@latchkey/contract/constants';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { formHoldsNul, jsonHoldsNul, NUL_IN_BODY } from './nul.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The body is of a kind that the endpoint does not take. The message is for the caller. */
export class UnsupportedBodyError extends Error {
  readonly status: 400 | 415;

  constructor(status: 400 | 415, message: string) {
    super(message);
    this.status = status;
  }
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
    next(new UnsupportedBodyError(415, `The body must be ${JSON_TYPE} or ${FORM_TYPE}.`));
  },
  express.json({
    type: JSON_TYPE,
    limit: REQUEST_BODY_MAX_BYTES,
    verify(request, response, body, encoding) {
      // In UTF-16 or UTF-7 the escape of NUL has other bytes, and would pass unseen.
      requireUtf8(encoding);
      refuse(jsonHoldsNul)(request, response, body);
    },
  }),
  express.urlencoded({
    type: FORM_TYPE,
    limit: REQUEST_BODY_MAX_BYTES,
    extended: false,
    verify: refuse(formHoldsNul),
  }),
];

const parseJson = express.json({
  type: JSON_TYPE,
  limit: REQUEST_BODY_MAX_BYTES,
  strict: false,
  verify(_request, _response, body, encoding) {
    requireUtf8(encoding);
    // Read leniently, two different texts could become one and the same id.
    if (!isUtf8(body)) throw new UnsupportedBodyError(400, 'The body is not UTF-8, whatever it says.');
  },
});

/**
 * Reads a body as json (RFC 8259, so UTF-8 only), and gives its value, `undefined` without a body. When this is called
 * decides when the first byte is read.
 *
 * @throws what the error handler answers with 415 for another type or none, 413 over 100 kB, 400 for broken json.
 */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const isEmpty = request.get('Content-Length') === '0';
  if (!isEmpty && request.is(JSON_TYPE) === false) {
    throw new UnsupportedBodyError(415, `The body must be ${JSON_TYPE}.`);
  }
  if (isEmpty) return undefined;
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  return request.body;
}

/** Reads the body of a page's form, in UTF-8 as the pages are; {@link formOf} gives its fields. */
export const readForm: RequestHandler = express.text({
  type: FORM_TYPE,
  limit: REQUEST_BODY_MAX_BYTES,
  verify(request, response, body, encoding) {
    // As in json: UTF-7 writes NUL as `+AAA-`.
    requireUtf8(encoding);
    refuse(formHoldsNul)(request, response, body);
  },
});

/** The fields of a page's form, every repetition kept. Empty when the body was no form. */
export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}

/** RFC 8259 section 8.1: json is UTF-8. */
function requireUtf8(encoding: string): void {
  if (encoding !== 'utf-8') throw new UnsupportedBodyError(415, 'The body must be UTF-8.');
}

function refuse(holdsNul: (body: Buffer) => boolean) {
  return (_request: unknown, _response: unknown, body: Buffer) => {
    if (holdsNul(body)) throw new UnsupportedBodyError(400, NUL_IN_BODY);
  };
}
