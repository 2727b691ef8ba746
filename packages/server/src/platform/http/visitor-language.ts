import { AsyncLocalStorage } from 'node:async_hooks';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { speak, speakFor } from '../language/language.js';
import { negotiate } from '../language/negotiation.js';
import { cookieWriter, type PageCookie, readCookie } from './cookies.js';
import { requestQuery } from './request-input.js';

/** The language that the visitor chose on a page. It wins over what sites and browsers ask for. */
const LANGUAGE_COOKIE: PageCookie = { name: 'latchkey_language', lifetimeSeconds: 365 * 24 * 3600 };

export function writeLanguage(
  host: { readonly baseUrl: string },
  response: Response,
  language: string,
): void {
  cookieWriter(host, LANGUAGE_COOKIE)(response, language);
}

/** The visitor's choice wins, then `ui_locales` of the authorization request, then `Accept-Language`, then English. */
export function visitorLanguage(host: { readonly baseUrl: string }): RequestHandler {
  return (request: Request, _response, next) => {
    const chosen = readCookie(host, request, LANGUAGE_COOKIE);
    const header = request.get('Accept-Language');
    const withParameters = (parameters: URLSearchParams) => negotiate({ chosen, parameters, header });
    speakFor(requestQuery(request), withParameters, next);
  };
}

/** Makes the pages of these routes English, whatever the visitor prefers. Later routes use the visitor's language again. */
export function inEnglish(routes: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const asVisitor = ({ locals }: Response) => locals.asVisitor as (work: () => void) => void;
  router.use((_request, response, next) => {
    response.locals.asVisitor = AsyncLocalStorage.snapshot();
    speak('en', next);
  });
  router.use(routes);
  router.use((_request, response, next) => asVisitor(response)(next));
  const fail: ErrorRequestHandler = (error, _request, response, next) =>
    asVisitor(response)(() => next(error));
  router.use(fail);
  return router;
}
