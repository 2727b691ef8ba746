import { startPath } from '../http/app-url.js';
import { forbidCaching, prefersHtml, sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import { type CallbackContext, callbackEndpoint } from './callback.js';
import type { Endpoint, VisitorExchange } from './endpoint.js';
import { type ExchangeContext, exchangeEndpoint } from './exchange.js';
import { type LoginContext, loginEndpoint } from './login.js';
import { type LogoutContext, logoutEndpoint } from './logout.js';
import { sendSession } from './session-endpoint.js';

export interface EndpointsContext extends LoginContext, CallbackContext, ExchangeContext, LogoutContext {}

/** Endpoints of the router, by path below `mountPath`. */
export class Endpoints {
  readonly #context: EndpointsContext;
  readonly #table: Readonly<Record<string, { method: 'GET' | 'POST'; endpoint: Endpoint }>>;

  constructor(context: EndpointsContext) {
    this.#context = context;
    this.#table = {
      '/login': { method: 'GET', endpoint: loginEndpoint(context) },
      '/callback': { method: 'GET', endpoint: callbackEndpoint(context) },
      '/exchange': { method: 'POST', endpoint: exchangeEndpoint(context) },
      '/session': { method: 'GET', endpoint: sendSession },
      '/logout': { method: 'POST', endpoint: logoutEndpoint(context) },
    };
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#table, path);
  }

  /** Responds to a request for a path for which {@link has} is true. */
  async respond(path: string, exchange: VisitorExchange): Promise<void> {
    const { request, response } = exchange;
    const entry = this.#table[path];
    if (entry === undefined) return;
    forbidCaching(response);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The URL of the callback contains a code, and that of the login a path of the app.
    response.setHeader('Referrer-Policy', 'no-referrer');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method === entry.method) return entry.endpoint(exchange);
    response.setHeader('Allow', entry.method === 'GET' ? 'GET, HEAD' : 'POST');
    const message = `Use ${entry.method} for this address.`;
    if (!prefersHtml(request)) return sendError(response, 405, { error: 'method_not_allowed', message });
    sendPlainPage(response.status(405), {
      title: 'This address is not a page',
      paragraphs: ['Forms and scripts of this site use it. You can go on from the start page.'],
      link: { href: startPath(this.#context.app), label: 'Go to the start page' },
    });
  }
}
