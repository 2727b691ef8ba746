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
   * How visitors get to the service. `popup` falls back to `redirect` if the browser blocks the popup, or if popups are
   * known to fail. The fallback needs a `backend` or a `returnUrl`.
   * @default 'popup'
   */
  mode?: 'popup' | 'redirect' | undefined;
  /**
   * Standalone: page of this site that a sign-in by redirect returns to. It must contain the widget with the same
   * settings and be one of the client's redirect URIs.
   */
  returnUrl?: string | undefined;
  /**
   * Page of this site that loads `callback.js`, where the popup ends. It must be one of the client's redirect URIs. If
   * the service has a callback page, that works too.
   * @default the service's callback page if the script came from the service, otherwise `/latchkey/callback.html`
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

/** The secrets of one attempt: a PKCE pair (RFC 7636), and the nonce in its `state`. */
export interface Secrets extends PkcePair {
  nonce: string;
}

/**
 * Prepares the secrets of the next attempt before the click: creating them is asynchronous, and browsers may block a
 * popup that doesn't open synchronously. Makes no network request.
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

    /** Returns new secrets, for one attempt only. */
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

/** What to keep of an authorization request: the values to check its response and redeem its code. */
export interface SentRequest {
  redirectUri: string;
  state: string;
  codeVerifier: string;
}

/** What the return page needs to finish a sign-in by redirect. Stored in this tab's sessionStorage. */
export interface PendingRedirect extends SentRequest {
  /** URL of the page that the visitor left and will return to. */
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
  /** True if a sign-in by redirect is possible. */
  readonly canReturn: boolean;
  /** True once this page's `Cross-Origin-Opener-Policy` has severed a popup. It severs every one. */
  severed: boolean;
  /** The authorization response that was in this page's address, until it's used. */
  returned: ReturnedResponse | undefined;
  end(): void;
  fail(attempt: Attempt, error: unknown): void;
}

/** An authorization request with its URL at the service. */
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
    // The service then speaks the page's language.
    lang: document.documentElement.lang,
  });
  return { redirectUri, state, codeVerifier, url };
}

/** Creates a popup's authorization request. Its redirect URI is the callback page. */
export function popupRequest(
  session: SigningSession,
  secrets: Secrets,
  { callbackUrl, selectAccount }: { callbackUrl: string | undefined; selectAccount: boolean },
): AddressedRequest {
  return redirectRequest(session, secrets, {
    redirectUri: callbackAddress(session.service, callbackUrl),
    selectAccount,
    // In a sandboxed frame, the page has an opaque origin: `self.origin` says so, `location.origin` doesn't.
    state: encodeWidgetState({ nonce: secrets.nonce, origin: self.origin }),
  });
}

/**
 * Returns the redirect URI for a `return-url` or `callback-url`. It must be on this page's origin: the return page
 * reads sessionStorage, and a site's callback page posts to its own origin only.
 * @throws OAuthClientError `invalid_configuration` if it's missing or malformed, has a fragment (RFC 6749, section
 * 3.1.2), or belongs to another origin.
 */
export function ownRedirectUri(attribute: 'return-url' | 'callback-url', address = ''): string {
  const href = address && ownHref(address);
  // An empty fragment counts too, and `URL.hash` doesn't show it.
  if (href && !href.includes('#')) return href;
  throw new OAuthClientError(
    'invalid_configuration',
    `${attribute}: must be a page of ${location.origin} without a fragment; got "${address}".${baseHint(address)}`,
  );
}

/**
 * Returns the page where the popup ends: the `callback-url`. It defaults to the service's callback page if the script
 * came from the service. Otherwise it's a page of this site, as not every service has one.
 * @throws OAuthClientError `invalid_configuration` if a setting is invalid.
 */
export function callbackAddress(service: OAuthService, callbackUrl: string | undefined): string {
  const hosted = hostedCallbackUrl(service);
  const isFromService = hosted.startsWith(`${scriptOrigin()}/`);
  const url = callbackUrl || (isFromService ? hosted : location.origin + SITE_CALLBACK_PATH);
  return url === hosted ? hosted : ownRedirectUri('callback-url', url);
}
