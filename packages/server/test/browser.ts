/** What a form sends; a list is a field that is there several times. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** As much of a browser as the service's pages need: cookies, and the headers of a form post. Redirects are seen. */
export interface Browser {
  /** Name and value of each cookie that is kept. */
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form from one of the service's own pages; `headers` replace what such a page would send. */
  post(path: string, fields: FormFields, headers?: Record<string, string>): Promise<Response>;
}

/**
 * @param address where the service listens.
 * @param origin what its pages take for their origin.
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

/** The address that an answer redirects to, as it was sent. */
export function locationOf(response: Response): string {
  return response.headers.get('location') ?? '';
}

/** The query of the address that an answer redirects to. */
export function redirectQuery(response: Response): Record<string, string> {
  return Object.fromEntries(new URL(locationOf(response), 'http://base.invalid').searchParams);
}
