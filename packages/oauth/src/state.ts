import { STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import { misconfigured } from './oauth-client-error.js';
import { encodeBase64Url, randomText } from './random-text.js';

/** What the popup flow's `state` says: which sign-in, and which page asked. Whoever reads it must trust neither. */
export interface WidgetState {
  /** Random text that only the asking page knows; see {@link createState}. */
  nonce: string;
  /** Origin of the asking page, as `location.origin` gives it. */
  origin: string;
}

/** Makes a random `state`, or the nonce for one: 256 bits as 43 characters (RFC 6749 section 10.12). */
export function createState(): string {
  return randomText();
}

/**
 * Writes the `state` of the popup flow: base64url of the UTF-8 JSON `{"n": nonce, "o": origin}`.
 *
 * @throws OAuthClientError `invalid_configuration` when `origin` is no http(s) origin (a page opened as a file has
 * none), or the result is longer than the 1024 characters that `state` may have.
 */
export function encodeWidgetState({ nonce, origin }: WidgetState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ n: nonce, o: origin }));
  const state = encodeBase64Url(bytes);
  if (state.length > STATE_MAX_LENGTH || !isWebOrigin(origin)) {
    throw misconfigured(`Signing in needs a page with an http(s) origin, not "${origin.slice(0, 100)}".`);
  }
  return state;
}

/** Reads the `state` of the popup flow; `undefined` for anything that {@link encodeWidgetState} does not write. */
export function decodeWidgetState(state: string): WidgetState | undefined {
  if (state.length > STATE_MAX_LENGTH || !/^[\w-]+$/.test(state)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { n: nonce, o: origin } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof nonce === 'string' && nonce !== '' && isWebOrigin(origin) ? { nonce, origin } : undefined;
  } catch {
    return undefined;
  }
}

/** Only the exact text of an origin: it becomes a targetOrigin, and the service compares it with a list. */
function isWebOrigin(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}
