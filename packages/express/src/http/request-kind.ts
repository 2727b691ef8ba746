import { isPrefetch } from '@latchkey/contract/constants';
import type { Request } from 'express';

/**
 * What sends a request:
 * - `prefetch`: a browser loads a page that nobody has opened yet.
 * - `navigation`: a person opens a page or sends a form.
 * - `page-script`: a script, an image or a framework's router on a page.
 * - `api-client`: a client that asks for JSON, or sends something.
 * - `reader`: a link preview, a crawler or a command-line client, which takes what it gets.
 */
type RequestKind = 'prefetch' | 'navigation' | 'page-script' | 'api-client' | 'reader';

/** Headers from routers that load a page or its data by script: Next.js, htmx, Turbo, Inertia, PJAX and Unpoly. */
const ROUTER_HEADERS = [
  ...['rsc', 'next-router-state-tree', 'x-nextjs-data', 'hx-request', 'turbo-frame', 'x-turbo-request-id'],
  ...['x-inertia', 'x-pjax', 'x-up-version'],
] as const;

/** Paths at which the routers of React Router, SvelteKit, Nuxt and Next.js load the data of a page. */
const DATA_PATH = /(?:\.data|\/__data\.json|\/_payload\.json)(?:\?|$)|^\/_next\/data\//;

/**
 * Decides what sent a request. The first matching row applies:
 *
 * | request | kind |
 * |---|---|
 * | `Sec-Purpose`, `X-Sec-Purpose`, `Purpose`, `X-Purpose` or `X-Moz` with prefetch, prerender or preview | `prefetch` |
 * | `Sec-Fetch-Mode: navigate`, or `Sec-Fetch-Dest` of a page or a frame | `navigation` |
 * | any other `Sec-Fetch-Dest`, `X-Requested-With: XMLHttpRequest`, or a header of a router such as `RSC` or `HX-Request` | `page-script` |
 * | `Accept` has HTML, and JSON doesn't rank above it | `navigation` |
 * | `Accept` has JSON, or allows no HTML; or the method is neither GET nor HEAD | `api-client` |
 * | a path of router data, such as `/members.data`, or `Referer` of the same host | `page-script` |
 * | everything else, such as a GET with any type or none in `Accept` | `reader` |
 *
 * Browsers send `Sec-Fetch-Dest` to https and to localhost, and no page can forge it. The rows below it are for other
 * requests, such as a phone's to the IP address of a developer's machine. Node.js's `fetch` sends `Sec-Fetch-Mode`
 * without it.
 */
function kindOf(request: Request): RequestKind {
  const { headers, method } = request;
  if (isPrefetch(headers)) return 'prefetch';
  const isPage = headers['sec-fetch-dest'] === 'document' || isFramed(request);
  if (headers['sec-fetch-mode'] === 'navigate' || isPage) return 'navigation';
  // Android WebViews send their app's name in X-Requested-With, even for navigations.
  const isScript = /^xmlhttprequest$/i.test(String(headers['x-requested-with'] ?? ''));
  const isRouter = ROUTER_HEADERS.some((name) => headers[name] !== undefined);
  if (headers['sec-fetch-dest'] !== undefined || isScript || isRouter) return 'page-script';
  if (ranksHtmlFirst(request)) return 'navigation';
  const isRead = method === 'GET' || method === 'HEAD';
  // EventSource and feed readers don't accept HTML.
  if (!isRead || /\bjson\b/i.test(headers.accept ?? '') || !request.accepts('html')) return 'api-client';
  return DATA_PATH.test(request.originalUrl) || isFromSameHost(request) ? 'page-script' : 'reader';
}

/** Pages send it with their images and scripts. Link previews and crawlers don't. */
function isFromSameHost({ headers }: Request): boolean {
  const { referer = '', host } = headers;
  return URL.canParse(referer) && new URL(referer).host === host;
}

/** True if the client asks for HTML, also by script. */
export function ranksHtmlFirst(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

/** True if the response is shown in a frame of another page. */
export function isFramed({ headers }: Request): boolean {
  return /^(iframe|frame|embed|object|fencedframe)$/.test(String(headers['sec-fetch-dest']));
}

/** True if a person sees the response. All others receive JSON. */
export function prefersHtml(request: Request): boolean {
  const kind = kindOf(request);
  return kind === 'navigation' || (kind === 'prefetch' && ranksHtmlFirst(request));
}

/** True for link previews, crawlers and other clients that accept HTML as well as JSON. */
export function takesHtml(request: Request): boolean {
  return prefersHtml(request) || kindOf(request) === 'reader';
}

/** True for HEAD and for prefetches, which must start and redeem nothing. */
export function isSpeculative(request: Request): boolean {
  return request.method === 'HEAD' || kindOf(request) === 'prefetch';
}

/**
 * True if the request opens the page. False for speculative ones and for a page's scripts, such as routers that fetch a
 * link before anybody follows it.
 */
export function opensPage(request: Request): boolean {
  return !isSpeculative(request) && kindOf(request) !== 'page-script';
}
