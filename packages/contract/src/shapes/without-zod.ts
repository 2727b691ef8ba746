import { STATE_MAX_LENGTH } from './limits.js';

// Constants and rules that every package needs. Browsers import this file, so it must not import zod.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A UUID in any letter case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the form in which an id is compared. UUIDs are case-insensitive (RFC 9562 section 4), so they're returned in
 * lower case. Any other id is opaque and returned unchanged: if two differ only in case, they're two ids.
 */
export function comparableId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}

/** Returns the value of a JSON text; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DOCS = 'https://github.com/latchkey/latchkey/blob/main/docs';

/** Returns the public URL of a page of the documentation: `docsUrl('troubleshooting', 'origin_refused')`. */
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

/** Escapes a string for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/**
 * True for an error from any realm. Jest and `node:vm` give the code they run a different `Error`, and Node.js's errors
 * aren't instances of it.
 */
export function isError(value: unknown): value is Error {
  return (
    /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value)) || value instanceof Error
  );
}

/** Returns an error's message, or those of its errors: after attempts at several addresses, Node.js's own is empty. */
export function messageOf(error: unknown): string {
  if (!isError(error)) return String(error);
  return 'errors' in error && Array.isArray(error.errors) && error.message === ''
    ? error.errors.map(messageOf).join('; ')
    : error.message;
}

/** Headers that mark a prefetch or a prerender: the standard one, and the ones of older browsers and Turbo. */
const PURPOSE_HEADERS = ['sec-purpose', 'x-sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** True if a browser loads a page before anybody opens it. Such a request must start, issue and redeem nothing. */
export function isPrefetch(headers: Readonly<Record<string, unknown>>): boolean {
  return PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));
}

// Both exist in browsers and in Node.js. The contract is compiled without the types of either.
declare const atob: (text: string) => string;
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** Content of the `state` that the widget's popup flow starts with. Anyone can write a state, so no field is trusted. */
export interface WidgetStateContent {
  /** `n`: random text that only the requesting page knows. */
  nonce: unknown;
  /** `o`: origin of the requesting page, as `location.origin` writes it. */
  origin: unknown;
}

/**
 * Reads a `state` of the popup flow: base64url, without padding, of the UTF-8 JSON `{"n": nonce, "o": origin}`. The
 * service and the callback page share this reader, so both find the same origin in a state.
 *
 * @returns the fields, unchecked; `undefined` if the string isn't base64url of a JSON object.
 */
export function readWidgetState(state: string): WidgetStateContent | undefined {
  if (state.length > STATE_MAX_LENGTH || !/^[\w-]+$/.test(state)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { n: nonce, o: origin } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { nonce, origin };
  } catch {
    return undefined;
  }
}
