import { uuidField } from '@latchkey/contract';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Needs } from '../../../app/services.js';
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
import { signInPath } from './continue-path.js';
import { findSignedInUser } from './user-session.js';

type PathParameters = Record<string, string>;

/** Path that visitors return to after they signed in to send a form. */
type Home = string | ((params: PathParameters) => string);

/** Request of a signed-in user for a page of an area. */
export interface AreaRequest {
  user: SignedInUser;
  frame: AreaFrame;
  readonly query: URLSearchParams;
  request: Request<PathParameters>;
  response: Response;
}

/** Form sent by the signed-in user that it was rendered for. */
export interface AreaForm extends AreaRequest {
  form: URLSearchParams;
}

/**
 * Answer of a handler: the page to show, or the path to go to next. The page of a form says what is wrong with it, so its
 * status is 400. A handler that sends another status or no page sends its response itself.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that sends its response itself returns nothing.
export type AreaAnswer = Page | string | undefined | void;

/** Handlers of one path. Other methods get 405. */
interface AreaRoute<Subject> {
  /** Path that visitors return to after they signed in to send the form, if it is not that of the area. */
  home?: string;
  get?: (area: AreaRequest & Subject) => AreaAnswer | Promise<AreaAnswer>;
  post?: (area: AreaForm & Subject) => AreaAnswer | Promise<AreaAnswer>;
}

/**
 * Creates the routes of an area from a table of paths. All of them require sign-in. The handlers are inner functions of the
 * function that creates the routes, so they share its services:
 *
 *     export function planRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
 *       const { db } = needs;
 *       return areaRoutes(needs, { home: '/plans', subject: ownerOf }, {
 *         '/plans': { get: list, post: create },
 *         '/plans/:planId': { get: show },
 *       });
 *
 *       async function list({ frame, query, owner }: AreaRequest & { owner: Owner }) {
 *         return plansPage({ frame, plans: await shownList(query, (after) => listPlans(db, owner, after)) });
 *       }
 *
 *       async function create({ frame, form, owner }: AreaForm & { owner: Owner }) {
 *         const read = PLAN.parse(planSchema, form);
 *         if (read.kind === 'invalid') return newPlanPage({ frame, values: PLAN.read(form), errors: read.errors });
 *         return `/plans/${await createPlan(db, owner, read.value)}?done=created`;
 *       }
 *     }
 *
 * @param options.subject Reads what the address is about, for all handlers. Throws unless the user may see it.
 */
export function areaRoutes<Subject extends object = object>(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  options: Home | { home: Home; subject: (area: AreaRequest) => Promise<Subject> },
  table: Readonly<Record<string, AreaRoute<Subject>>>,
): Router {
  const { home: areaHome, subject } = typeof options === 'object' ? options : { home: options };
  const answering =
    <Area extends AreaRequest>(
      handle: (area: Area & Subject) => AreaAnswer | Promise<AreaAnswer>,
      status: number,
    ) =>
    async (area: Area) => {
      // Without a function for it, `Subject` is an empty object. Spreading the area would read its query.
      const answer = await handle(Object.assign(area, (await subject?.(area)) as Subject));
      if (typeof answer === 'string') redirect(area.response, 303, answer);
      else if (answer !== undefined) sendPage(area.response, answer, { status });
    };
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, { get, post, home = areaHome }] of Object.entries(table)) {
    const route = router.route(path);
    if (get !== undefined) route.get(areaPage(needs, answering<AreaRequest>(get, 200)));
    if (post !== undefined) route.post(areaForm(needs, home, answering<AreaForm>(post, 400)));
    route.all(methodNotAllowed([get && 'GET', post && 'POST'].filter(Boolean).join(', ')));
  }
  return router;
}

/** Creates the handler of a page that requires sign-in. Visitors sign in first and then return to the page. */
function areaPage(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (areaRequest: AreaRequest) => void | Promise<void>,
): RequestHandler<PathParameters> {
  return async (request, response) => {
    if (isFromStranger(request)) return sendOnwards(response, request.originalUrl);
    const user = await findSignedInUser(needs, request);
    if (user === undefined) return redirect(response, 302, signInPath(request.originalUrl));
    await show(areaOf(user, request, response));
  };
}

/**
 * Creates the handlers of a form on a page that requires sign-in. The form must come from the service's own pages. Its
 * field `account` must be the id of the signed-in user, else the response is 409 and `handle` does not run.
 *
 * @param home Path that visitors return to after sign-in.
 */
function areaForm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  home: Home,
  handle: (areaForm: AreaForm) => void | Promise<void>,
): RequestHandler<PathParameters>[] {
  const act: RequestHandler<PathParameters> = async (request, response) => {
    const user = await findSignedInUser(needs, request);
    const homePath = typeof home === 'string' ? home : home(request.params);
    if (user === undefined) return redirect(response, 303, signInPath(homePath));
    const form = formOf(request);
    if (form.get('account') !== user.id) return sendOtherAccount(response, homePath);
    await handle(Object.assign(areaOf(user, request, response), { form }));
  };
  return [sameOriginGuard(needs), readForm, act] as RequestHandler<PathParameters>[];
}

function areaOf(user: SignedInUser, request: Request<PathParameters>, response: Response): AreaRequest {
  return {
    user,
    frame: {
      user: { email: user.email, name: user.name ?? undefined },
      account: user.id,
      isOperator: user.operatorRole !== null,
    },
    request,
    response,
    // Parsed where a handler reads it. Many ignore it.
    get query() {
      return requestQuery(request);
    },
  };
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
 * Handles the errors of pages whose user was deleted after the request began. The database rejected what the request wrote, so nothing
 * has changed. The visitor is sent to the sign-in page, like a request that begins a moment later.
 */
export function deletedMeanwhile(needs: Needs<'baseUrl' | 'clock' | 'db'>): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const canBeDeleted = isForeignKeyViolation(error) && !response.headersSent;
    if (!canBeDeleted || (await findSignedInUser(needs, request)) !== undefined) return next(error);
    redirect(response, 303, signInPath('/account'));
  };
}

/** Returns an id in lower case, or an empty string, which matches nothing, if the text is not an id. */
export function readId(text: string | null | undefined): string {
  return uuidField.safeParse(text).data ?? '';
}
