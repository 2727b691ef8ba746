import type { Membership } from '../../src/session/index.js';
import { awaitedBySettled } from './settled.js';

export const community: Membership = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
};

export const ada = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' };

/** One request as the widget sent it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: Headers;
  form: URLSearchParams;
  body: string;
}

type Answer = Response | Promise<Response> | Error;

/** A `fetch` that answers as the service does (or a backend), keeps what it was asked, and can be told to do otherwise. */
export function createFakeApi() {
  const seen: SeenRequest[] = [];
  const overrides = new Map<string, (request: SeenRequest) => Answer>();
  let issued = 0;

  const answers: Record<string, () => Response> = {
    'POST /oauth/token': () => {
      issued += 1;
      return Response.json(
        {
          access_token: `access-${issued}`,
          refresh_token: `refresh-${issued}`,
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'memberships.read',
          unknown_field: true,
        },
        { status: 201 },
      );
    },
    'GET /oauth/userinfo': () => Response.json(ada),
    'GET /oauth/memberships': () => Response.json({ memberships: [community] }),
  };

  return {
    seen,
    /** `METHOD /path` of every request so far. */
    log: () => seen.map(({ method, path }) => `${method} ${path}`),
    count: (what: string) => seen.filter(({ method, path }) => `${method} ${path}` === what).length,
    /** Answers differently from now on; `undefined` as before. */
    on(what: string, answer: ((request: SeenRequest) => Answer) | undefined) {
      if (answer) overrides.set(what, answer);
      else overrides.delete(what);
    },
    fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      const body = await awaitedBySettled(request.clone()).text();
      const { method, headers } = request;
      const { pathname: path } = new URL(request.url);
      const asked = { method, path, headers, form: new URLSearchParams(body), body };
      seen.push(asked);
      init?.signal?.throwIfAborted();
      const what = `${method} ${path}`;
      const answer = overrides.get(what)?.(asked) ?? answers[what]?.() ?? new Response('', { status: 404 });
      if (answer instanceof Error) throw answer;
      return new Promise<Response>((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        Promise.resolve(answer).then((response) => resolve(awaitedBySettled(response)), reject);
      });
    }) as typeof fetch,
  };
}
