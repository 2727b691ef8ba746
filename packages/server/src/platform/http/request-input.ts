import { isUtf8 } from 'node:buffer';
import { REQUEST_BODY_MAX_BYTES } from '@latchkey/contract/constants';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { noteParameters } from '../language/language.js';
import { HttpFailure } from './http-failure.js';

/** Returns the query of a request, including repeated parameters. Express's own parser merges them. */
export function requestQuery(request: Pick<Request, 'originalUrl'>): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : request.originalUrl.slice(start + 1));
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Repeated form fields become arrays. Without a body, `request.body` stays unset. Fails with 415, 413 or 400. */
export const readApiBody: RequestHandler[] = [
  (request, _response, next) => {
    const isEmpty = request.get('Content-Length') === '0';
    if (isEmpty || request.is([JSON_TYPE, FORM_TYPE]) !== false) return next();
    next(new HttpFailure(415, `The body must be ${JSON_TYPE} or ${FORM_TYPE}.`));
  },
  express.json({
    type: JSON_TYPE,
    limit: REQUEST_BODY_MAX_BYTES,
    verify(request, response, body, encoding) {
      // In UTF-16 or UTF-7 an escaped NUL has other bytes, so the search would miss it.
      requireUtf8(encoding);
      rejectNul(jsonContainsNul)(request, response, body);
    },
  }),
  express.urlencoded({
    type: FORM_TYPE,
    limit: REQUEST_BODY_MAX_BYTES,
    extended: false,
    verify: rejectNul(formContainsNul),
  }),
];

const parseJson = express.json({
  type: JSON_TYPE,
  limit: REQUEST_BODY_MAX_BYTES,
  strict: false,
  verify(_request, _response, body, encoding) {
    requireUtf8(encoding);
    // Lenient decoding maps invalid bytes to one character, so two different ids could become equal.
    if (!isUtf8(body)) throw new HttpFailure(400, 'The body is not valid UTF-8.');
  },
});

/** No byte of the body is read before the call, so endpoints can authenticate first. Fails with 415, 413 or 400. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const isEmpty = request.get('Content-Length') === '0';
  if (!isEmpty && request.is(JSON_TYPE) === false) {
    throw new HttpFailure(415, `The body must be ${JSON_TYPE}.`);
  }
  if (isEmpty) return undefined;
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  return request.body;
}

const parseForm = express.text({
  type: FORM_TYPE,
  limit: REQUEST_BODY_MAX_BYTES,
  verify(request, response, body, encoding) {
    // In UTF-7, NUL is `+AAA-`, so the search for it would miss it.
    requireUtf8(encoding);
    rejectNul(formContainsNul)(request, response, body);
  },
});

/** Reads UTF-8, the charset of the pages. The fields can also choose the language of the response. */
export const readForm: RequestHandler = (request, response, next) => {
  parseForm(request, response, (error?: unknown) => {
    if (error === undefined) noteParameters(formOf(request));
    next(error);
  });
};

/** Returns the fields of a page's form, including repeated ones. Empty if the body isn't a form. */
export function formOf(request: Request): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}

/** Rejects other charsets. RFC 8259 section 8.1 requires UTF-8 for JSON. */
function requireUtf8(encoding: string): void {
  if (encoding !== 'utf-8') throw new HttpFailure(415, 'The body must be UTF-8.');
}

function rejectNul(containsNul: (body: Buffer) => boolean) {
  return (_request: unknown, _response: unknown, body: Buffer) => {
    if (containsNul(body)) throw new HttpFailure(400, `The body ${NUL_MESSAGE}`);
  };
}

/** PostgreSQL can neither store nor compare a string with NUL. */
const NUL_MESSAGE = 'contains the character U+0000, which is not allowed.';

/** True if a form's body (`application/x-www-form-urlencoded`) contains NUL, unescaped or as `%00`. */
export function formContainsNul(body: Buffer): boolean {
  return body.includes(0) || body.includes('%00');
}

/** True if a JSON body contains an escaped NUL. An unescaped one isn't valid JSON. */
export function jsonContainsNul(body: Buffer): boolean {
  return body.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(body.toString());
}

export const rejectNulInUrl: RequestHandler = ({ originalUrl }, _response, next) => {
  if (originalUrl.includes('%00')) throw new HttpFailure(400, `The address ${NUL_MESSAGE}`);
  next();
};
