import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import {
  authorizationUrl,
  createPkcePair,
  createState,
  encodeWidgetState,
  hostedCallbackUrl,
  OAuthClientError,
  type OAuthService,
  type PkcePair,
} from '@latchkey/oauth';
import { baseHint, ownHref, scriptOrigin } from '../browser/addresses.js';
import type { TimeSource } from '../browser/wake-up.js';
import type { LoginStore } from '../state/login-state.js';
import type { SessionProvider } from '../state/session-provider.js';

/** The settings of a sign-in. */
export interface SignInOptions {
  /** Path of this site where the Express kit is mounted, such as `/auth`. Without it, the session is standalone. */
  backend?: string | undefined;
  /**
   * Way to the service. `popup` falls back to `redirect` if the browser blocks the popup or popups are known
   * to fail. The fallback needs a `backend` or a `returnUrl`.
   * @default 'popup'
   */
  mode?: 'popup' | 'redirect' | undefined;
  /**
   * Standalone: page of this site to which a sign-in by redirect returns. It contains the widget with the same settings,
   * and is one of the client's redirect URIs.
   */
  returnUrl?: string | undefined;
  /**
   * Page of this site that loads `callback.js`, where the popup ends. It is one of the client's redirect URIs. The callback
   * page of the service also works, if it has one.
   * @default the callback page of the service if the script came from there, and otherwise `/latchkey/callback.html`
   */
  callbackUrl?: string | undefined;
}

/** One attempt to sign in. */
export interface Attempt {
  number: number;
  /** True to sign in with another account. */
  switches: boolean;
  popup?: Window | undefined;
  abort: AbortController;
}

/** The secrets of one attempt: a PKCE pair, and the nonce in its `state`. */
export interface Secrets extends PkcePair {
  nonce: string;
}

/**
 * Prepares the secrets of the next attempt before the click, because a browser blocks a popup that opens after anything
 * asynchronous. Makes no network request.
 */
export function prepareSecrets() {
  let preparing: Promise<Secrets> | undefined;
  const secrets = {
    ready: undefined as Secrets | undefined,

    prepare(): Promise<Secrets> {
      preparing ??= createSecrets()
        .then((created) => {
          secrets.ready = created;
          return created;
        })
        .finally(() => {
          preparing = undefined;
        });
      return preparing;
    },

    /** Returns new secrets. They are valid for one attempt. */
    async take(): Promise<Secrets> {
      const taken = await secrets.prepare();
      secrets.ready = undefined;
      return taken;
    },
  };
  return secrets;
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

/** The data with which the return page finishes a sign-in by redirect. Stored in this tab's sessionStorage. */
export interface PendingRedirect extends SentRequest {
  /** The page that the visitor left, and returns to. */
  from: string;
}

/** An authorization response in this page's address. */
export interface ReturnedResponse {
  query: URLSearchParams;
  request: PendingRedirect;
}

export interface SigningSession {
  name: string;
  service: OAuthService;
  scopes(): readonly string[];
  time: TimeSource;
  provider: SessionProvider;
}

/** The part of a page's sign-in that starts and ends attempts. */
export interface SignInHost {
  readonly options: SignInOptions;
  readonly store: LoginStore;
  /** True if a sign-in can do without a popup. */
  readonly canReturn: boolean;
  /** True once a popup was lost. This page's policy severs every popup. */
  severed: boolean;
  /** The authorization response that was in this page's address, until it is used. */
  returned: ReturnedResponse | undefined;
  end(): void;
  fail(attempt: Attempt, error: unknown): void;
}

/** A request with its address at the service. */
export type AddressedRequest = SentRequest & { url: string };

export function redirectRequest(
  { service, scopes }: SigningSession,
  { codeChallenge, codeVerifier }: Secrets,
  { redirectUri, state, selectAccount }: { redirectUri: string; state: string; selectAccount: boolean },
): AddressedRequest {
  const url = authorizationUrl(service, {
    redirectUri,
    state,
    codeChallenge,
    scopes: scopes(),
    selectAccount,
    // The popup and the page of the widget speak one language.
    lang: document.documentElement.lang,
  });
  return { redirectUri, state, codeVerifier, url };
}

/** Creates the request of a popup. Its redirect URI is the callback page of the service or of this site. */
export function popupRequest(
  session: SigningSession,
  secrets: Secrets,
  { callbackUrl, selectAccount }: { callbackUrl: string | undefined; selectAccount: boolean },
): AddressedRequest {
  return redirectRequest(session, secrets, {
    redirectUri: callbackAddress(session.service, callbackUrl),
    selectAccount,
    // In a frame with `sandbox`, `location.origin` is not the origin of the page, which has none.
    state: encodeWidgetState({ nonce: secrets.nonce, origin: self.origin }),
  });
}

/**
 * Returns the redirect URI for a `return-url` or `callback-url`. It must be a page of this site: sessionStorage belongs to the
 * site, and the callback page posts to its own site only.
 * @throws OAuthClientError `invalid_configuration` if it is missing or malformed, has a fragment, or belongs to another site.
 */
export function ownRedirectUri(attribute: 'return-url' | 'callback-url', address = ''): string {
  const href = address && ownHref(address);
  // An empty fragment counts too. `URL.hash` does not show it.
  if (href && !href.includes('#')) return href;
  throw new OAuthClientError(
    'invalid_configuration',
    `${attribute}: must be a page of ${location.origin} without a fragment; got "${address}".${baseHint(address)}`,
  );
}

/**
 * Returns the page where the popup ends: the `callback-url`. Its default is the callback page of the service if the script
 * came from there, and otherwise a page of this site, because not every service has one.
 * @throws OAuthClientError `invalid_configuration` if a setting is invalid.
 */
export function callbackAddress(service: OAuthService, callbackUrl: string | undefined): string {
  const hosted = hostedCallbackUrl(service);
  const isFromService = hosted.startsWith(`${scriptOrigin()}/`);
  const url = callbackUrl || (isFromService ? hosted : location.origin + SITE_CALLBACK_PATH);
  return url === hosted ? hosted : ownRedirectUri('callback-url', url);
}
