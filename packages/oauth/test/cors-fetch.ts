/**
 * Returns a `fetch` with the rules of a browser for a page of another origin: a preflight request before a request that
 * needs one, and no response without `Access-Control-Allow-Origin`.
 */
export function corsFetch(origin: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set('origin', origin);
    if (request.headers.has('authorization')) await preflight(request, origin);
    const body = request.method === 'GET' ? undefined : await request.text();
    const response = await fetch(request.url, { method: request.method, headers, body: body ?? null });
    if (!allows(response, origin)) throw new TypeError('Failed to fetch');
    return response;
  };
}

async function preflight({ method, url }: Request, origin: string): Promise<void> {
  const headers = { origin, 'access-control-request-method': method };
  const response = await fetch(url, { method: 'OPTIONS', headers });
  const allowed = response.headers.get('access-control-allow-headers') ?? '';
  const isAllowed = response.ok && allows(response, origin) && /\bauthorization\b/i.test(allowed);
  if (!isAllowed) throw new TypeError('Failed to fetch');
}

function allows({ headers }: Response, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}
