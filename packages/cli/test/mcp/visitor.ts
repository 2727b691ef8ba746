/** Visitor without a browser window: sends forms as a browser does, and keeps cookies. */
export interface Visitor {
  get(path: string): Promise<Response>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response>;
}

/** Returns a visitor of the pages of a service. It does not follow redirects. */
export function visitorOf(baseUrl: string): Visitor {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...init.headers, ...(cookie !== '' && { cookie }) };
    const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    get: (path) => send(path, {}),
    post: (path, fields) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: baseUrl, 'sec-fetch-site': 'same-origin' },
      }),
  };
}

/** Returns the hidden fields of the forms of a page. */
export function hiddenFields(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
  return Object.fromEntries(inputs.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]));
}

function attributeOf(input: string, attribute: string): string {
  return new RegExp(`\\b${attribute}="([^"]*)"`).exec(input)?.[1]?.replaceAll('&amp;', '&') ?? '';
}
