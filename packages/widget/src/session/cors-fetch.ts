import { LoginError } from '../state/login-failure.js';

/**
 * Wraps `fetch`, so that a request fails with the setting to change if the service lets no page of this site read its
 * responses. A browser reports that like a lost connection, so the same address is then requested twice without a body:
 * it must respond, and its response must be unreadable.
 */
export function corsFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      const responds = (mode: RequestMode) =>
        send(input, { ...init, body: null, redirect: 'follow', mode }).then(
          () => true,
          () => false,
        );
      if (!(error instanceof TypeError && (await responds('no-cors'))) || (await responds('cors')))
        throw error;
      throw new LoginError(
        'misconfigured',
        `${input} sends no CORS headers for ${location.origin}. Set backend: the Express kit calls the service instead of this page.`,
      );
    }
  };
}
