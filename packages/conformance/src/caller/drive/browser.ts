import { isError } from '@latchkey/contract/constants';
import { Cookie, CookieJar } from 'tough-cookie';
import type { RoundTrip, SentRequest } from '../../report/report.js';

const MAX_REDIRECTS = 15;
const REQUEST_TIMEOUT_MS = 60_000;

/** A browser without scripts: it keeps cookies and follows redirects on demand. */
export class Browser {
  readonly #jar = new CookieJar(undefined, { rejectPublicSuffixes: false });

  /** Sends one request without following its redirect. A failed connection is part of the result. */
  async send(request: SentRequest): Promise<RoundTrip> {
    const { url, headers } = request;
    const cookie = await this.#jar.getCookieString(url);
    try {
      const response = await fetch(url, {
        ...request,
        headers: {
          accept: 'text/html,application/json;q=0.9,*/*;q=0.8',
          ...headers,
          ...(cookie && { cookie }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      for (const line of response.headers.getSetCookie()) await this.#keep(line, url);
      const shown = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'));
      return { request, response: { status: response.status, headers: shown, body: await response.text() } };
    } catch (error) {
      const { cause, message } = error as Error;
      return { request, failure: isError(cause) ? cause.message : message };
    }
  }

  /** Sends a request and follows redirects. Resolves to all round trips. */
  async follow(first: SentRequest): Promise<RoundTrip[]> {
    const roundTrips = [await this.send(first)];
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const { request, response } = roundTrips.at(-1) ?? {};
      const location = response?.headers.location;
      const isRedirect = response !== undefined && response.status >= 300 && response.status < 400;
      if (request === undefined || !isRedirect || location === undefined) break;
      roundTrips.push(
        await this.send({ method: 'GET', url: new URL(location, request.url).href, headers: {} }),
      );
    }
    return roundTrips;
  }

  async #keep(line: string, url: string): Promise<void> {
    const cookie = Cookie.parse(line);
    if (cookie) await this.#jar.setCookie(cookie, url, { ignoreError: true });
  }
}
