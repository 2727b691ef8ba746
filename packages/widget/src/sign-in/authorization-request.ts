import { authorizationUrl, encodeWidgetState, hostedCallbackUrl, type OAuthService } from '@latchkey/oauth';
import type { Secrets } from './attempt-secrets.js';

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
}

/** Returns the request of a popup. Its redirect URI is the service's callback, or a page of this site. */
export function popupRequest(
  service: OAuthService,
  { nonce, codeVerifier }: Secrets,
  callbackUrl: string | undefined,
): SentRequest {
  return {
    redirectUri: callbackUrl ? new URL(callbackUrl, document.baseURI).href : hostedCallbackUrl(service),
    state: encodeWidgetState({ nonce, origin: location.origin }),
    codeVerifier,
  };
}

/** Returns the address of a request at the service. */
export function requestUrl(
  service: OAuthService,
  { codeChallenge }: Secrets,
  { redirectUri, state }: SentRequest,
  scopes: readonly string[],
): string {
  return authorizationUrl(service, { redirectUri, state, codeChallenge, scopes });
}
