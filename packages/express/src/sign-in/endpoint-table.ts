import type { NextFunction, Request } from 'express';
import { type AppUrl, startPath } from '../http/app-url.js';
import { forbidCaching, sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import { opensPage, prefersHtml } from '../http/request-kind.js';
import { optionError } from '../platform/errors.js';
import type { Endpoint, Visit } from '../session/visitor.js';

/** Endpoints by path below `mountPath`. `isPage`: its GET has an effect, so it only runs when the page is opened. */
type EndpointRecord = Readonly<
  Record<string, { method: 'GET' | 'POST'; endpoint: Endpoint; isPage?: boolean }>
>;

/**
 * Creates a function that responds to a request if its path is in the table, and otherwise calls `next`. As in routes of
 * Express, letter case and a trailing slash don't matter, and a proxy may send the origin along.
 */
export function endpointRouter(app: AppUrl, endpoints: EndpointRecord) {
  const mountPath = app.mountPath.toLowerCase();
  return (request: Request, next: NextFunction, visit: () => Visit): unknown => {
    const requested = request.path.toLowerCase();
    if (!requested.startsWith(mountPath)) return next();
    const path = requested.slice(mountPath.length).replace(/(?<=.)\/$/, '');
    const entry = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    return entry === undefined ? next() : respond(app, entry, visit());
  };
}

async function respond(
  app: AppUrl,
  { method: allowed, endpoint, isPage = false }: EndpointRecord[string],
  visit: Visit,
): Promise<void> {
  const { request, response } = visit;
  forbidCaching(response);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // The callback's URL contains a code, and the login's a path of the app.
  response.setHeader('Referrer-Policy', 'no-referrer');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === allowed) return isPage && !opensPage(request) ? sendNotOpened(visit) : endpoint(visit);
  response.setHeader('Allow', allowed === 'GET' ? 'GET, HEAD' : 'POST');
  const message = `Use ${allowed} for this address.`;
  if (!prefersHtml(request)) return sendError(response, 405, { error: 'method_not_allowed', message });
  const t = visit.visitor.textsFor(undefined);
  sendPlainPage(response.status(405), t, {
    title: t('This address is not a page'),
    paragraphs: [t('Forms and scripts of this site use it. You can go on from the start page.')],
    link: { href: startPath(app), label: t('Go to the start page') },
  });
}

const NOT_OPENED =
  'Open this address as a page. If you did, a service worker of the site fetched it, and must let it pass.';

/** Responds to a prefetch, to HEAD and to a page's script, without any effect. A browser then loads the page when it's opened. */
export function sendNotOpened({ request, response }: Visit): void {
  if (request.method === 'HEAD') response.status(204).end();
  else sendError(response, 503, { error: 'not_opened', message: NOT_OPENED });
}

/**
 * Rejects `app.use('/auth', middleware)`, which would serve the endpoints below `/auth/auth`.
 * @param name the argument of `app.use`, for the error message.
 * @throws LatchkeyOptionsError
 */
export function rejectMountPath({ mountPath, appPath }: AppUrl, baseUrl: string, name: string): void {
  if (baseUrl === '' || !baseUrl.endsWith(mountPath) || appPath.endsWith(mountPath)) return;
  throw optionError(
    'mountPath',
    `${name} is mounted at ${baseUrl}, but serves ${mountPath} itself. Use app.use(${name}) without a path.`,
  );
}
