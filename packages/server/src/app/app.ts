import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';
import { API_KEY_PATHS, apiKeyFailures, apiKeyRoutes } from '../api/api-key/api-key-routes.js';
import { rejection } from '../api/frame/failures.js';
import { oauthFailures, oauthRoutes } from '../api/oauth/oauth-routes.js';
import { actingAs } from '../features/audit/audit.js';
import {
  errorHandler,
  type FailureFormat,
  failAs,
  methodNotAllowed,
  notFoundHandler,
  sendFailure,
} from '../platform/http/http-failure.js';
import { peerGuard } from '../platform/http/peers.js';
import { rejectNulInUrl } from '../platform/http/request-input.js';
import { wantsPage } from '../platform/http/request-kind.js';
import { requestLog } from '../platform/http/request-log.js';
import { visitorLanguage } from '../platform/http/visitor-language.js';
import { hostsOf, isSecure } from '../platform/http/web-origin.js';
import { throttledWarning } from '../platform/logging/logger.js';
import type { Needs, Services } from './services.js';

const SHOWN_LENGTH = 100;

/**
 * Rejects requests for any other host with 421. An attacker can point a domain at this machine's address (DNS
 * rebinding). Without this check, pages of that domain would count as same-origin and could read every response.
 *
 * Rejects a request with several Host headers with 400. If the request target is a URL, its host must be one of the
 * service's too, and so must `X-Forwarded-Host` if Express's `trust proxy` trusts the caller. Neither replaces the
 * check of `Host`.
 */
function hostGuard(needs: Needs<'baseUrl' | 'clock' | 'logger'>): RequestHandler {
  const { baseUrl } = needs;
  const hosts = hostsOf(baseUrl);
  const warn = throttledWarning(needs);
  return (request, response, next) => {
    if (hasSeveralHosts(request.rawHeaders)) {
      const message = 'The request has several Host headers. Send one.';
      return sendFailure(request, response, { status: 400, message });
    }
    const host = foreignHostOf(request, hosts);
    if (host === undefined) return next();
    const shown = host.slice(0, SHOWN_LENGTH);
    warn({ host: shown, baseUrl }, 'Rejected a request for a foreign host');
    const message = `This server answers for ${baseUrl} only; the request was sent to the host "${shown}".`;
    const link = { href: `${baseUrl}${request.path}`, label: `Go to ${new URL(baseUrl).host}` };
    sendFailure(request, response, { status: 421, message, link });
  };
}

function foreignHostOf(request: Request, hosts: ReadonlySet<string>): string | undefined {
  const { originalUrl } = request;
  // Express's `host` is X-Forwarded-Host if the caller is trusted.
  for (const host of [request.headers.host ?? '', request.host ?? '']) {
    if (!hosts.has(host.toLowerCase())) return host;
  }
  if (originalUrl.startsWith('/') || originalUrl === '*') return undefined;
  // This host counts, not the header (RFC 9112 section 3.2.2). A cache in front would store the response under it.
  const target = URL.canParse(originalUrl) ? new URL(originalUrl).host : '';
  return hosts.has(target) ? undefined : target;
}

/**
 * True if a request repeats its Host header, which RFC 9112 section 3.2 forbids. Node.js reads the first one; a proxy
 * or a cache that reads the last one would store the response under another name.
 */
function hasSeveralHosts(headers: readonly string[]): boolean {
  return headers.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** Creates the Express app. Paths match exactly: case and trailing slashes count. */
export function createApp(services: Services): Express {
  const { trustProxy, metrics, site, intercept, dueWork } = services;
  const failures = failureFormats(services);
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // Generated responses are never stored, so they need no ETag. Files set their own.
  app.set('etag', () => undefined);
  app.response.json = sendJson;

  app.use((_request, _response, next) => actingAs('visitor', services.clock, next));
  app.use((_request, response, next) => {
    // Not `app.locals`: if the additional routes are an Express app, that app becomes `response.app`.
    response.locals.site = site;
    response.locals.failures = failures;
    next();
  });
  app.use(securityHeaders(services));
  app.use(healthRoutes(services));
  if (metrics !== undefined) app.use(metrics.middleware);
  app.use(requestLog(services));
  app.use(peerGuard(services.peers, 'Set an https base URL, or allow others where it is started.'));
  app.use(hostGuard(services));
  if (intercept !== undefined) app.use(intercept({ ...services, runDueWork: () => dueWork.runDue() }));
  // Comes before the check of the URL: these routes check the key before anything else.
  app.use(apiKeyRoutes(services));
  app.use(rejectNulInUrl);
  app.use(oauthRoutes(services));
  app.use(visitorLanguage(services));
  app.use(lazyRoutes(async () => (await import('./page-routes.js')).pageRoutes(services)));
  app.use(notFoundHandler);
  app.use(errorHandler(services));
  return app;
}

/** Declares how requests fail, whether they reach a route or not. */
function failureFormats(services: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const reject = rejection(services);
  router.use(
    failAs((failure, request, response) => {
      const format = wantsPage(request) ? failurePage : reject;
      return format(failure, request, response);
    }),
  );
  router.use('/oauth', oauthFailures(services));
  router.route('/oauth/consent').all(failAs(failurePage));
  router.use(API_KEY_PATHS, apiKeyFailures(services));
  return router;
}

/** Sends a failure as a page. The first one loads the pages. */
const failurePage: FailureFormat = async (failure, _request, response) => {
  const { sendFailurePage } = await import('../web/kit/frame/message-page.js');
  sendFailurePage(response, failure);
};

/**
 * Sends a body as JSON. Replaces Express's `response.json`, which also handles entity tags, character sets and
 * callbacks that the service doesn't use. Writes header and body together, which takes half the time of two writes.
 */
function sendJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  this.setHeader('Content-Type', 'application/json; charset=utf-8');
  this.setHeader('Content-Length', Buffer.byteLength(text));
  return this.end(text);
}

/** Loads the code with the first request: the server starts faster. If that fails, the next request tries again. */
function lazyRoutes(load: () => Promise<RequestHandler>): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    loading ??= load();
    const routes = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return routes(request, response, next);
  };
}

/**
 * The routes for supervisors and load balancers:
 *
 * - `GET /healthz` sends 200 while the process runs. A supervisor restarts a process that doesn't respond.
 * - `GET /readyz` sends 200 while the process accepts requests, and otherwise 503 with the reason.
 *
 * Neither is logged: load balancers call them about every second.
 */
function healthRoutes({ readiness }: Needs<'readiness'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const live: RequestHandler = (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' });
  };
  const ready: RequestHandler = async (_request, response) => {
    const status = await readiness.check();
    response
      .status(status === 'ready' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status });
  };
  router.route('/healthz').get(live).all(methodNotAllowed('GET'));
  router.route('/readyz').get(ready).all(methodNotAllowed('GET'));
  return router;
}

/**
 * Sets the security headers of every response. Two of them differ from helmet's defaults. COOP `same-origin` would
 * separate the sign-in popup from the page that opened it. Forms are blocked by default, and a page with a form sets
 * its own `form-action`.
 */
function securityHeaders({ baseUrl }: Needs<'baseUrl'>): RequestHandler {
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure(baseUrl) ? { maxAge: 365 * 24 * 3600 } : false,
    xFrameOptions: { action: 'deny' },
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Returns helmet's headers, computed once: they're the same for every response, and helmet's middleware is slower. */
function headersOf(options: HelmetOptions): [string, string][] {
  const headers: [string, string][] = [];
  const response = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
