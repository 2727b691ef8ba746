import {
  authorizationUrl,
  createPkcePair,
  createState,
  encodeWidgetState,
  type OAuthService,
  type PkcePair,
} from '@latchkey/oauth';
import { callbackAddress } from '../browser/addresses.js';
import type { TimeSource } from '../browser/wake-up.js';
import type { SessionProvider } from '../state/session-provider.js';

/** The secrets of one attempt: a PKCE pair, and the nonce in its `state`. */
interface Secrets extends PkcePair {
  nonce: string;
}

/**
 * Prepares the secrets of the next attempt before the click, because a browser blocks a popup that opens after anything
 * asynchronous. Makes no network request.
 */
export class AttemptSecrets {
  ready: Secrets | undefined;
  #preparing: Promise<Secrets> | undefined;

  prepare(): Promise<Secrets> {
    this.#preparing ??= createSecrets()
      .then((secrets) => {
        this.ready = secrets;
        return secrets;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
    return this.#preparing;
  }

  /** Returns new secrets. They are valid for one attempt. */
  async take(): Promise<Secrets> {
    const secrets = await this.prepare();
    this.ready = undefined;
    return secrets;
  }
}

async function createSecrets(): Promise<Secrets> {
  return { nonce: createState(), ...(await createPkcePair()) };
}

/** An authorization request, with the values that its response is checked against. */
export interface SentRequest {
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

export interface SigningSession {
  name: string;
  service: OAuthService;
  scopes(): readonly string[];
  time: TimeSource;
  provider: SessionProvider;
}

/** A request with its address at the service. */
type AddressedRequest = SentRequest & { url: string };

export function redirectRequest(
  { service, scopes }: SigningSession,
  { codeChallenge, codeVerifier }: Secrets,
  { redirectUri, state }: { redirectUri: string; state: string },
): AddressedRequest {
  const url = authorizationUrl(service, { redirectUri, state, codeChallenge, scopes: scopes() });
  return { redirectUri, state, codeVerifier, url };
}

/** Creates the request of a popup. Its redirect URI is the callback page of the service or of this site. */
export function popupRequest(
  session: SigningSession,
  secrets: Secrets,
  callbackUrl: string | undefined,
): AddressedRequest {
  return redirectRequest(session, secrets, {
    redirectUri: callbackAddress(session.service, callbackUrl),
    // In a frame with `sandbox`, `location.origin` is not the origin of the page, which has none.
    state: encodeWidgetState({ nonce: secrets.nonce, origin: self.origin }),
  });
}
