import { fetchAsHost } from '../../../scripts/fetch-as-host.mjs';

/** Fields of a form. A list sends the field several times. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Browser with what the service's pages need: cookies, the headers of a form post, and the host of the service. It does not
 * follow redirects.
 */
export interface Browser {
  /** Stored cookies, value by name. */
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /**
   * Submits a form from one of the service's own pages. `headers` replace the ones that such a page sends.
   */
  post(path: string, fields: FormFields, headers?: Record<string, string>): Promise<Response>;
}

/**
 * @param address address on which the service listens.
 * @param origin origin of the service's pages.
 * @param initial cookies that the browser has, for example of another process of the service.
 */
export function createBrowser(
  address: string,
  origin: string,
  initial: ReadonlyMap<string, string> = new Map(),
): Browser {
  const cookies = new Map(initial);
  const send = async (path: string, init: RequestInit, headers: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetchAsHost(address, origin, path, {
      ...init,
      headers: {
        accept: 'text/html',
        ...(cookie !== '' && { cookie }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (path, headers = {}) => send(path, {}, headers),
    post: (path, fields, headers = { origin, 'sec-fetch-site': 'same-origin' }) =>
      send(path, { method: 'POST', body: new URLSearchParams(pairsOf(fields)) }, headers),
  };
}

function pairsOf(fields: FormFields): string[][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  );
}

/** Returns the address of a redirect, unchanged. */
export function locationOf(response: Response): string {
  return response.headers.get('location') ?? '';
}

/** Returns the query of a redirect's address. */
export function redirectQuery(response: Response): Record<string, string> {
  return Object.fromEntries(new URL(locationOf(response), 'http://base.invalid').searchParams);
}
