import type { NextFunction, Request } from 'express';
import { type AppUrl, startPath } from '../http/app-url.js';
import { forbidCaching, prefersHtml, sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import { LatchkeyOptionsError } from '../platform/errors.js';
import type { Endpoint, Visit } from '../session/visitor.js';

/** Endpoints by path below `mountPath`. */
export type EndpointRecord = Readonly<Record<string, { method: 'GET' | 'POST'; endpoint: Endpoint }>>;

/** Finds the endpoint of a request, and rejects other methods. */
export class EndpointTable {
  readonly #app: AppUrl;
  readonly #endpoints: EndpointRecord;

  constructor(app: AppUrl, endpoints: EndpointRecord) {
    this.#app = app;
    this.#endpoints = endpoints;
  }

  /** Responds to the request if its path is in the table, and otherwise calls `next`. */
  route(request: Request, next: NextFunction, visit: () => Visit): unknown {
    const { mountPath } = this.#app;
    const { url } = request;
    if (!url.startsWith(mountPath)) return next();
    const query = url.indexOf('?');
    const path = url.slice(mountPath.length, query === -1 ? undefined : query);
    return Object.hasOwn(this.#endpoints, path) ? this.#respond(path, visit()) : next();
  }

  async #respond(path: string, visit: Visit): Promise<void> {
    const { request, response } = visit;
    const entry = this.#endpoints[path];
    if (entry === undefined) return;
    forbidCaching(response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The URL of the callback contains a code, and that of the login a path of the app.
    response.setHeader('Referrer-Policy', 'no-referrer');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method === entry.method) return entry.endpoint(visit);
    response.setHeader('Allow', entry.method === 'GET' ? 'GET, HEAD' : 'POST');
    const message = `Use ${entry.method} for this address.`;
    if (!prefersHtml(request)) return sendError(response, 405, { error: 'method_not_allowed', message });
    sendPlainPage(response.status(405), {
      title: 'This address is not a page',
      paragraphs: ['Forms and scripts of this site use it. You can go on from the start page.'],
      link: { href: startPath(this.#app), label: 'Go to the start page' },
    });
  }
}

/**
 * Rejects `app.use('/auth', middleware)`, which would serve the endpoints below `/auth/auth`.
 * @param name The argument of `app.use`, for the error message.
 * @throws LatchkeyOptionsError
 */
export function rejectMountPath({ mountPath, appPath }: AppUrl, baseUrl: string, name: string): void {
  if (baseUrl === '' || !baseUrl.endsWith(mountPath) || appPath.endsWith(mountPath)) return;
  throw new LatchkeyOptionsError([
    {
      option: 'mountPath',
      message: `${name} is mounted at ${baseUrl}, but serves ${mountPath} itself. Use app.use(${name}) without a path.`,
    },
  ]);
}
