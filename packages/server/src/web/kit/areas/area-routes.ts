import { uuidField } from '@latchkey/contract';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { SessionEndedError } from '../../../features/audit/audit.js';
import type { SignedInUser } from '../../../features/sessions/sessions.js';
import { isForeignKeyViolation } from '../../../platform/database/transaction.js';
import { methodNotAllowed } from '../../../platform/http/http-failure.js';
import { redirect } from '../../../platform/http/redirect.js';
import { formOf, readForm, requestQuery } from '../../../platform/http/request-input.js';
import { t } from '../../../platform/language/language.js';
import type { AreaFrame } from '../frame/area-page.js';
import { sendMessage } from '../frame/message-page.js';
import { isFromStranger, sameOriginGuard, sendOnwards } from '../frame/same-origin-guard.js';
import { type Page, sendPage } from '../frame/send-page.js';
import { leavesService, signInPath } from './continue-path.js';
import { findSignedInUser, requireSignedInUser } from './user-session.js';

type PathParameters = Record<string, string>;

/** Path that visitors return to if they had to sign in to send a form. */
type Home = string | ((params: PathParameters) => string);

export interface Visit {
  request: Request<PathParameters>;
  response: Response;
  readonly query: URLSearchParams;
}

export interface VisitForm extends Visit {
  form: URLSearchParams;
}

export interface AreaRequest extends Visit {
  user: SignedInUser;
  frame: AreaFrame;
}

export interface AreaForm extends AreaRequest {
  form: URLSearchParams;
}

/**
 * What a handler returns: the page to show, or the service's path to go to next. A handler that returns a page for a form
 * rejects the form, so the status is 400. One that sends another status, or leads to a URL, sends the response itself.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that sends its response itself returns nothing.
export type AreaAnswer = Page | string | undefined | void;

/** Handlers of one path. Other methods get 405. */
interface PathHandlers<Get, Post> {
  get?: (visit: Get) => AreaAnswer | Promise<AreaAnswer>;
  post?: (visit: Post) => AreaAnswer | Promise<AreaAnswer>;
}

interface AreaRoute<Subject> extends PathHandlers<AreaRequest & Subject, AreaForm & Subject> {
  /** Path that visitors return to if they had to sign in to send the form. Default: the area's path. */
  home?: string;
}

/** Creates routes that require no sign-in, from a table of paths. Forms must come from the service's own pages. */
export function visitRoutes(
  needs: Needs<'baseUrl'>,
  table: Readonly<Record<string, PathHandlers<Visit, VisitForm>>>,
): Router {
  return routesFrom(needs, table, ({ get, post }) => ({ get, post }));
}

/**
 * Creates the routes of an area from a table of paths. All of them require sign-in. The handlers are inner functions of
 * the function that creates the routes, so they share its services. `subject` reads what the address is about, for all
 * handlers, and throws unless the user may see it.
 */
export function areaRoutes<Subject extends object = object>(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  options: Home | { home: Home; subject: (area: AreaRequest) => Promise<Subject> },
  table: Readonly<Record<string, AreaRoute<Subject>>>,
): Router {
  const { home: areaHome, subject } = typeof options === 'object' ? options : { home: options };
  // Without a function for it, `Subject` is an empty object. Spreading the area would read its query.
  const withSubject = async <Area extends AreaRequest>(area: Area) =>
    Object.assign(area, (await subject?.(area)) as Subject);
  return routesFrom(needs, table, ({ get, post, home = areaHome }) => ({
    /** Visitors sign in first and then return to the page. */
    get:
      get &&
      (async (visit) => {
        const { request, response } = visit;
        if (isFromStranger(request)) return sendOnwards(response, request.originalUrl);
        const user = await findSignedInUser(needs, request);
        if (user === undefined) return redirect(response, 302, signInPath(request.originalUrl));
        return await get(await withSubject(areaOf(user, visit)));
      }),
    /** If the field `account` isn't the signed-in user's id, the response is 409 and the handler doesn't run. */
    post:
      post &&
      (async (visit) => {
        const user = await requireSignedInUser(needs, visit.request);
        const homePath = typeof home === 'string' ? home : home(visit.request.params);
        if (user === undefined) return signInPath(homePath);
        if (visit.form.get('account') !== user.id) return sendOtherAccount(visit.response, homePath);
        return await post(await withSubject(areaOf(user, visit)));
      }),
  }));
}

function routesFrom<Handlers extends object>(
  needs: Needs<'baseUrl'>,
  table: Readonly<Record<string, Handlers>>,
  handlersOf: (handlers: Handlers) => {
    [Method in 'get' | 'post']: PathHandlers<Visit, VisitForm>[Method] | undefined;
  },
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, handlers] of Object.entries(table)) {
    const { get, post } = handlersOf(handlers);
    const route = router.route(path);
    if (get !== undefined)
      route.get(async (request: Request<PathParameters>, response) =>
        answer(response, 200, await get(visitOf(request, response))),
      );
    if (post !== undefined)
      route.post(sameOriginGuard(needs), readForm, async (request: Request<PathParameters>, response) => {
        const visit = Object.assign(visitOf(request, response), { form: formOf(request) });
        answer(response, 400, await post(visit));
      });
    route.all(methodNotAllowed([get && 'GET', post && 'POST'].filter(Boolean).join(', ')));
  }
  return router;
}

function answer(response: Response, status: number, given: AreaAnswer): void {
  if (typeof given === 'string') {
    if (leavesService(given)) throw new TypeError('A handler returned a location outside of the service.');
    redirect(response, 303, given);
  } else if (given !== undefined) sendPage(response, given, { status });
}

function visitOf(request: Request<PathParameters>, response: Response): Visit {
  return {
    request,
    response,
    // Parsed only when a handler reads it. Many don't.
    get query() {
      return requestQuery(request);
    },
  };
}

function areaOf<V extends Visit>(user: SignedInUser, visit: V): V & AreaRequest {
  return Object.assign(visit, {
    user,
    frame: {
      user: { email: user.email, name: user.name ?? undefined },
      account: user.id,
      isOperator: user.operatorRole !== null,
    },
  });
}

/** The user has switched accounts in another tab since the form was rendered. */
function sendOtherAccount(response: Response, home: string): void {
  sendMessage(response, 409, {
    title: t('You are signed in with another account'),
    text: t('The account in this browser changed after you opened the page. Nothing was changed.'),
    action: { href: home, label: t('Continue with the current account') },
  });
}

/**
 * The session ended, or the account was deleted, before the changes were stored. The visitor signs in, as if the
 * request had begun a moment later.
 */
export function endedMeanwhile(needs: Needs<'baseUrl' | 'clock' | 'db'>): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const canBeEnded = error instanceof SessionEndedError || isForeignKeyViolation(error);
    if (!canBeEnded || response.headersSent || (await findSignedInUser(needs, request)) !== undefined)
      return next(error);
    redirect(response, 303, signInPath('/account'));
  };
}

/** Returns a function that finds a confirmation by the query parameter `done`. The parameter itself is never shown. */
export function noticesOf<Done extends string>(texts: Readonly<Record<Done, string>>) {
  return (query: URLSearchParams): string | undefined => {
    const done = query.get('done') ?? '';
    return Object.hasOwn(texts, done) ? t(texts[done as Done]) : undefined;
  };
}

/** Returns an id in lower case, or an empty string, which matches nothing, if the input isn't an id. */
export function readId(text: string | null | undefined): string {
  return uuidField.safeParse(text).data ?? '';
}
