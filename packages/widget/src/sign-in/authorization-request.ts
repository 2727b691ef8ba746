import { authorizationUrl, encodeWidgetState, type OAuthService } from '@latchkey/oauth';
import type { Secrets } from './attempt-secrets.js';
import { callbackAddress } from './callback-address.js';

/** An authorization request, with the values that its response is checked against. */
export interface SentRequest {
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

/** An authorization code, with the values that redeem it. */
export interface CodeGrant {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  /** The requested scopes. */
  scopes: readonly string[];
}

/** The client that sends a request, and the scopes that it requests. */
export interface RequestContext {
  service: OAuthService;
  scopes(): readonly string[];
}

/** A request whose address is known. */
export interface AddressedRequest extends SentRequest {
  /** Address of the request at the service. */
  url: string;
}

/** Creates the request of a redirect. */
export function redirectRequest(
  { service, scopes }: RequestContext,
  { codeChallenge, codeVerifier }: Secrets,
  { redirectUri, state }: { redirectUri: string; state: string },
): AddressedRequest {
  const url = authorizationUrl(service, { redirectUri, state, codeChallenge, scopes: scopes() });
  return { redirectUri, state, codeVerifier, url };
}

/** Creates the request of a popup. Its redirect URI is the callback page of the service or of this site. */
export function popupRequest(
  context: RequestContext,
  secrets: Secrets,
  callbackUrl: string | undefined,
): AddressedRequest {
  return redirectRequest(context, secrets, {
    redirectUri: callbackAddress(context.service, callbackUrl),
    // In a frame with `sandbox`, `location.origin` is not the origin of the page, which has none.
    state: encodeWidgetState({ nonce: secrets.nonce, origin: self.origin }),
  });
}
