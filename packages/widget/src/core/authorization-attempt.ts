import {
  authorizationUrl,
  createPkcePair,
  createState,
  encodeWidgetState,
  hostedCallbackUrl,
  type OAuthService,
  type PkcePair,
} from '@latchkey/oauth';

/** The secrets of one attempt, made before the click. */
export interface PreparedAttempt extends PkcePair {
  nonce: string;
}

/** Where the answer comes to, and what tells it from others. */
export interface AnswerAddress {
  redirectUri: string;
  state: string;
}

/** Makes a PKCE pair and a nonce. Asks nothing of the network. */
export async function prepareAttempt(): Promise<PreparedAttempt> {
  return { nonce: createState(), ...(await createPkcePair()) };
}

/** A popup's answer comes to the hosted callback, or to a page of the site that hosts its own. */
export function popupAnswer(
  service: OAuthService,
  { nonce }: PreparedAttempt,
  callbackUrl: string | undefined,
): AnswerAddress {
  return {
    redirectUri: callbackUrl ? new URL(callbackUrl, document.baseURI).href : hostedCallbackUrl(service),
    state: encodeWidgetState({ nonce, origin: location.origin }),
  };
}

/** Where the popup goes, or the page, for this attempt. */
export function attemptUrl(
  service: OAuthService,
  attempt: PreparedAttempt & AnswerAddress,
  scopes: readonly string[],
): string {
  return authorizationUrl(service, { ...attempt, scopes });
}
