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

/** Headers of routers that load a page or its data by script: Next.js, htmx, Turbo, Inertia, PJAX and Unpoly. */
const ROUTER_HEADERS = [
  ...['rsc', 'next-router-state-tree', 'x-nextjs-data', 'hx-request', 'turbo-frame', 'x-turbo-request-id'],
  ...['x-inertia', 'x-pjax', 'x-up-version'],
] as const;

/** Paths at which the routers of React Router, SvelteKit, Nuxt and Next.js load the data of a page. */
const DATA_PATH = /(?:\.data|\/__data\.json|\/_payload\.json)(?:\?|$)|^\/_next\/data\//;

/**
 * Decides what sends a request by everything that it says. The first matching row applies:
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
 * Browsers send `Sec-Fetch-Dest` to https and to localhost, and no page can forge it. The rows below it are for other requests, among
 * them those of a phone to the IP address of a developer's machine. Node's `fetch` sends `Sec-Fetch-Mode` without it.
 */
function kindOf(request: Request): RequestKind {
  const { headers, method } = request;
  if (isPrefetch(headers)) return 'prefetch';
  const isPage = /^(document|iframe|frame|embed|object|fencedframe)$/.test(String(headers['sec-fetch-dest']));
  if (headers['sec-fetch-mode'] === 'navigate' || isPage) return 'navigation';
  // WebViews of Android send the name of their app in X-Requested-With, also with navigations.
  const isScript = /^xmlhttprequest$/i.test(String(headers['x-requested-with'] ?? ''));
  const isRouter = ROUTER_HEADERS.some((name) => headers[name] !== undefined);
  if (headers['sec-fetch-dest'] !== undefined || isScript || isRouter) return 'page-script';
  if (ranksHtmlFirst(request)) return 'navigation';
  const isRead = method === 'GET' || method === 'HEAD';
  // EventSource and feed readers allow no HTML.
  if (!isRead || /\bjson\b/i.test(headers.accept ?? '') || !request.accepts('html')) return 'api-client';
  return DATA_PATH.test(request.originalUrl) || isFromSameHost(request) ? 'page-script' : 'reader';
}

/** Pages send it with their images and scripts. Link previews and crawlers do not. */
function isFromSameHost({ headers }: Request): boolean {
  const { referer = '', host } = headers;
  return URL.canParse(referer) && new URL(referer).host === host;
}

function ranksHtmlFirst(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

/** True if a person sees the response. All others receive JSON. */
export function prefersHtml(request: Request): boolean {
  const kind = kindOf(request);
  return kind === 'navigation' || (kind === 'prefetch' && ranksHtmlFirst(request));
}

/** True for link previews, crawlers and others that take HTML as well as JSON. */
export function takesHtml(request: Request): boolean {
  return prefersHtml(request) || kindOf(request) === 'reader';
}

/** True for HEAD and for prefetches, which must start and redeem nothing. */
export function isSpeculative(request: Request): boolean {
  return request.method === 'HEAD' || kindOf(request) === 'prefetch';
}

/**
 * True if the request opens the page that it is for. False for speculative ones, and for scripts of a page, among them routers that
 * fetch a link before anybody follows it.
 */
export function opensPage(request: Request): boolean {
  return !isSpeculative(request) && kindOf(request) !== 'page-script';
}
