import { STATE_MAX_LENGTH } from './values.js';

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

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::\d{2})?)?)?$/;
const OFFSET = /^([+-])(\d{2})(?::(\d{2}))?$/;

/** The range of times with a four-digit year. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO-8601 timestamp of a request: an extended date (`2026-01-31`) or date-time. Seconds, fraction and offset
 * are optional. Without an offset it is UTC. Fractions are truncated to milliseconds.
 *
 * @returns milliseconds since the epoch, or `undefined` for other notations, an impossible date or time (31 April, hour
 * 24, second 60), and times outside the years 0000 to 9999.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00', second = '00', fraction = '', offset = 'Z'] = match;
  const canonical = `${day}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const local = Date.parse(canonical);
  const offsetMinutes = parseOffset(offset);
  // `Date.parse` moves some impossible days into the next month. Only a real date formats back to the same string.
  if (Number.isNaN(local) || new Date(local).toISOString() !== canonical) return undefined;
  if (offsetMinutes === undefined) return undefined;
  const instant = local - offsetMinutes * 60_000;
  return hasFourDigitYear(instant) ? instant : undefined;
}

/**
 * Formats an instant as ISO-8601 with milliseconds and `Z`, the format of all responses.
 *
 * @param ms milliseconds since the epoch.
 * @throws RangeError when `ms` is not an integer or is outside the years 0000 to 9999.
 */
export function formatTimestamp(ms: number): string {
  if (!Number.isInteger(ms) || !hasFourDigitYear(ms)) {
    throw new RangeError(`formatTimestamp: ms must be an integer within the years 0000 to 9999; got ${ms}.`);
  }
  return new Date(ms).toISOString();
}

function hasFourDigitYear(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [, sign, hours = '', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
