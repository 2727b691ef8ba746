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
  state: string;
  redirectUri: string;
}

/** Makes a PKCE pair and a state. Asks nothing of the network. */
export async function prepareAttempt(service: OAuthService): Promise<PreparedAttempt> {
  return {
    redirectUri: hostedCallbackUrl(service),
    state: encodeWidgetState({ nonce: createState(), origin: location.origin }),
    ...(await createPkcePair()),
  };
}

/** Where the popup goes for this attempt. */
export function attemptUrl(
  service: OAuthService,
  prepared: PreparedAttempt,
  scopes: readonly string[],
): string {
  return authorizationUrl(service, { ...prepared, scopes });
}
