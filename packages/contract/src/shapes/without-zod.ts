// Constants and rules that every package needs. Browsers import this file, so it must not import zod.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A UUID in any letter case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the form in which an id is compared. A UUID has no letter case (RFC 9562 section 4), so it's returned in lower
 * case. Any other id is opaque and returned unchanged: two that differ only in case are two ids.
 */
export function comparableId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}

const DOCS = 'https://github.com/latchkey/latchkey/blob/main/docs';

/** Returns the public address of a page of the documentation: `docsUrl('troubleshooting', 'origin_refused')`. */
export function docsUrl(page: string, heading = ''): string {
  return `${DOCS}/${page}.md${heading && `#${heading}`}`;
}

const LOOPBACK_HOST = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for an address of this machine. */
export function isLoopback({ hostname }: { readonly hostname: string }): boolean {
  return LOOPBACK_HOST.test(hostname);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML, also inside of quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** True for an error of any realm. Jest and `node:vm` give the code they run an `Error` of its own, and Node's errors aren't instances of it. */
export function isError(value: unknown): value is Error {
  return (
    /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value)) || value instanceof Error
  );
}

/** Headers that mark a prefetch or a prerendering: the standard one, and those of older browsers and of Turbo. */
const PURPOSE_HEADERS = ['sec-purpose', 'x-sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** True for the headers of a browser that loads a page before anybody opens it. It must start, issue and redeem nothing. */
export function isPrefetch(headers: Readonly<Record<string, unknown>>): boolean {
  return PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));
}
