import type { Request } from 'express';

const PAGES: ReadonlySet<string> = new Set(['document', 'iframe', 'frame', 'embed', 'object', 'fencedframe']);

/**
 * True if a person sees the response, which must then be a page. Programs and the scripts of pages receive JSON. The
 * first matching row applies:
 *
 * | request | response |
 * |---|---|
 * | `Sec-Fetch-Mode: navigate`, or `Sec-Fetch-Dest` of a page or a frame | page |
 * | any other `Sec-Fetch-Dest`: a script, an image or a style sheet | JSON |
 * | `Accept` has HTML, and JSON doesn't rank above it | page |
 * | everything else | JSON |
 */
export function wantsPage(request: Request): boolean {
  const destination = request.get('Sec-Fetch-Dest');
  if (request.get('Sec-Fetch-Mode') === 'navigate' || PAGES.has(destination ?? '')) return true;
  // Browsers list HTML in `Accept`. Programs that accept any type get JSON.
  return destination === undefined && request.accepts(['json', 'html']) === 'html';
}
