import { OAuthClientError } from '@latchkey/oauth';

export interface AuthorizedFetchOptions {
  /** Returns the access token. `undefined` in backend mode, where the cookie identifies the user. */
  accessToken: (() => Promise<string>) | undefined;
  fetch: typeof fetch | undefined;
}

/**
 * Requests an address of this site as the signed-in user.
 * @throws OAuthClientError `invalid_configuration` for an address of another site.
 */
export async function authorizedFetch(
  address: string,
  init: RequestInit | undefined,
  options: AuthorizedFetchOptions,
): Promise<Response> {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) {
    throw new OAuthClientError(
      'invalid_configuration',
      `The address must belong to this site (${location.origin}), because the request identifies the user; got ${url.origin}.`,
    );
  }
  const headers = new Headers(init?.headers);
  if (options.accessToken) headers.set('authorization', `Bearer ${await options.accessToken()}`);
  return (options.fetch ?? fetch)(url, { ...init, headers, redirect: 'manual' });
}
