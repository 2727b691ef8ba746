import { forbidCaching, prefersHtml, sendError } from '../answer.js';
import { sendPlainPage } from '../pages/plain-page.js';
import { callback } from './callback.js';
import { exchange } from './exchange.js';
import type { KitRoute, RouteContext } from './kit-route.js';
import { login } from './login.js';
import { logout } from './logout.js';
import { session } from './session.js';

/** The kit's routes, by their path below the mount path. */
const ROUTES: Readonly<Record<string, { method: 'GET' | 'POST'; route: KitRoute }>> = {
  '/login': { method: 'GET', route: login },
  '/callback': { method: 'GET', route: callback },
  '/exchange': { method: 'POST', route: exchange },
  '/session': { method: 'GET', route: session },
  '/logout': { method: 'POST', route: logout },
};

/** True for the path of one of the kit's routes, below the mount path. */
export function isKitRoute(path: string): boolean {
  return Object.hasOwn(ROUTES, path);
}

/** Runs the route of a path for which {@link isKitRoute} is true. */
export async function dispatch(path: string, context: RouteContext): Promise<void> {
  const { request, response } = context;
  const entry = ROUTES[path];
  if (entry === undefined) return;
  forbidCaching(response);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // The address of the callback holds a code, that of the login a path of the app.
  response.setHeader('Referrer-Policy', 'no-referrer');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === entry.method) return entry.route(context);
  response.setHeader('Allow', entry.method === 'GET' ? 'GET, HEAD' : 'POST');
  const message = `Use ${entry.method} here.`;
  if (!prefersHtml(request)) return sendError(response, 405, { error: 'method_not_allowed', message });
  sendPlainPage(response.status(405), {
    title: 'Nothing to see here',
    paragraphs: ['This address is used by forms and scripts of this site, not by opening it.'],
    link: { href: `${context.kit.settings.appPath}/`, label: 'To the start page' },
  });
}
