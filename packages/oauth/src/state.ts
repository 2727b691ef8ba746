import { readWidgetState, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import { generateRandomState } from 'oauth4webapi';
import { misconfigured } from './oauth-client-error.js';

/** Content of the popup flow's `state`. Anyone can write a state, so a reader must not trust either field. */
export interface WidgetState {
  /** Random text that only the requesting page knows. {@link createState} creates it. */
  nonce: string;
  /** Origin of the requesting page, in the form of `location.origin`. */
  origin: string;
}

/** Creates a random `state`, or the nonce for one: 256 bits as 43 characters (RFC 6749 section 10.12). */
export function createState(): string {
  return generateRandomState();
}

/**
 * Encodes the `state` of the popup flow: base64url of the UTF-8 JSON `{"n": nonce, "o": origin}`.
 *
 * @throws OAuthClientError `invalid_configuration` when `origin` is not an http(s) origin (a page opened as a file has
 * none), or when the result exceeds 1024 characters, the maximum length of `state`.
 */
export function encodeWidgetState({ nonce, origin }: WidgetState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ n: nonce, o: origin }));
  const state = encodeBase64Url(bytes);
  if (state.length > STATE_MAX_LENGTH || !isWebOrigin(origin)) {
    throw misconfigured(`Signing in needs a page with an http(s) origin; got "${origin.slice(0, 100)}".`);
  }
  return state;
}

/** Decodes the `state` of the popup flow. Returns `undefined` unless {@link encodeWidgetState} could have written it. */
export function decodeWidgetState(state: string): WidgetState | undefined {
  const { nonce, origin } = readWidgetState(state) ?? {};
  return typeof nonce === 'string' && nonce !== '' && isWebOrigin(origin) ? { nonce, origin } : undefined;
}

/** base64url without padding (RFC 4648 section 5). */
function encodeBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** True if the value is exactly an origin: it becomes a targetOrigin, and the service compares it with a list. */
function isWebOrigin(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}
