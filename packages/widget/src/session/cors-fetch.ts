import { LoginError } from '../state/login-failure.js';

/**
 * Wraps `fetch`, so that a request fails with the setting to change if the service lets no page of this site read its
 * responses. A browser reports that like a lost connection, so the same address is then requested twice without a body:
 * it must respond, and its response must be unreadable. The first of these requests carries no token, because the browser
 * sends none without CORS. So only that one may follow redirects, which it must.
 */
export function corsFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      const responds = (change?: RequestInit) =>
        send(input, { ...init, body: null, ...change }).then(
          () => true,
          () => false,
        );
      const isReached =
        error instanceof TypeError && (await responds({ mode: 'no-cors', redirect: 'follow' }));
      if (!isReached || (await responds())) throw error;
      throw new LoginError(
        'misconfigured',
        `${input} sends no CORS headers for ${location.origin}. Set backend: the Express kit calls the service instead of this page.`,
      );
    }
  };
}
