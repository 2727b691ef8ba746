/** Fields of a form. A list is a repeated field. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** HTTP client with cookies and the headers of a form post. It does not follow redirects. */
export interface Browser {
  /** Stored cookies by name. */
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form of the service's own pages. `headers` replaces the headers that such a page sends. */
  post(path: string, fields: FormFields, headers?: Record<string, string>): Promise<Response>;
}

/**
 * Creates a browser without cookies.
 *
 * @param address address of the service.
 * @param origin origin of its pages.
 */
export function createBrowser(address: string, origin: string): Browser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit, headers: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${address}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }), ...headers },
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

/** Returns the Location header of a response. */
export function locationOf(response: Response): string {
  return response.headers.get('location') ?? '';
}
