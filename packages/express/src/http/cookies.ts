import { createHash } from 'node:crypto';

/**
 * Reads one cookie from a `Cookie` header. It runs on every request, so it doesn't parse the others. If a name repeats,
 * returns the first value: the one with the longest path (RFC 6265 section 5.4).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  let start = 0;
  while (start < header.length) {
    let end = header.indexOf(';', start);
    if (end === -1) end = header.length;
    while (header.charCodeAt(start) === 0x20) start += 1;
    if (header.startsWith(name, start) && header.charCodeAt(start + name.length) === 0x3d) {
      return withoutSpaces(header.slice(start + name.length + 1, end));
    }
    start = end + 1;
  }
  return undefined;
}

/** Removes the spaces that may surround a value in a header (RFC 9110 5.6.3), and no other character. */
function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

/** Name and attributes of a cookie. All cookies of this package are also `HttpOnly` and `SameSite=Lax`. */
export interface CookieScope {
  name: string;
  path: string;
  secure: boolean;
}

/** Formats a `Set-Cookie` header. `value` contains only base64url characters and dots, so it needs no encoding. */
export function setCookie(scope: CookieScope, value: string, maxAgeSeconds: number): string {
  const age = Math.max(0, Math.floor(maxAgeSeconds));
  return `${scope.name}=${value}; Path=${scope.path}; Max-Age=${age}; HttpOnly; SameSite=Lax${scope.secure ? '; Secure' : ''}`;
}

export function clearCookie(scope: CookieScope): string {
  return setCookie(scope, '', 0);
}

/** When something happened, stored in an unsigned cookie. A mark with another key replaces it. */
interface TimeMark extends CookieScope {
  key: string;
  lifetimeMs: number;
}

/** Returns how long ago a mark was set, in milliseconds. Undefined if it has another key or is too old. */
export function markedMsAgo(header: string | undefined, mark: TimeMark, now: number): number | undefined {
  const [since = '', name] = readCookie(header, mark.name)?.split('.') ?? [];
  const elapsedMs = now - Number.parseInt(since, 36);
  return name === nameOf(mark) && elapsedMs >= 0 && elapsedMs < mark.lifetimeMs ? elapsedMs : undefined;
}

export function setMark(mark: TimeMark, now: number): string {
  return setCookie(mark, `${now.toString(36)}.${nameOf(mark)}`, mark.lifetimeMs / 1000);
}

function nameOf({ key }: TimeMark): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12);
}
