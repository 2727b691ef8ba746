import { describe, expect, it } from 'vitest';
import {
  createFakeService,
  endlessResponses,
  fakeFetch,
  fakeUser,
  respond,
  respondUnfinished,
  type Script,
  unusedAddress,
} from '../../src/scripted-service.js';
import { listening } from './listening.js';

const USERINFO = '/oauth/userinfo';
const options = { visitor: fakeUser('ada@example.com'), credentials: 'unchecked' } as const;

/** The two ways in which a request reaches the service. */
const transports = [
  [
    'over HTTP',
    async () => {
      const service = await listening(options);
      const ask = (path: string, init?: RequestInit) => fetch(service.url + path, init);
      return { service, ask };
    },
  ],
  [
    'through fetch',
    async () => {
      const service = createFakeService(options);
      const send = fakeFetch(service);
      const ask = (path: string, init?: RequestInit) => send(`https://service.example${path}`, init);
      return { service, ask };
    },
  ],
] as const;

describe.each(transports)('a scripted service %s', (_name, start) => {
  it('records requests with their form', async () => {
    const { service, ask } = await start();
    await ask('/oauth/token', { method: 'POST', body: new URLSearchParams({ code: 'c' }) });
    await ask(`${USERINFO}?a=b`, { headers: { authorization: 'Bearer t' } });
    expect(service.log()).toEqual(['POST /oauth/token', `GET ${USERINFO}`]);
    expect(service.forms().map((form) => form.get('code'))).toEqual(['c']);
    expect(service.requests[1]).toMatchObject({
      url: `${USERINFO}?a=b`,
      headers: { authorization: 'Bearer t' },
    });
    expect(service.count(`GET ${USERINFO}`)).toBe(1);
  });

  it('replies by a script until it is cleared', async () => {
    const { service, ask } = await start();
    service.on(`GET ${USERINFO}`, respond(418, { error: 'teapot' }));
    for (let time = 0; time < 2; time += 1) {
      const response = await ask(USERINFO);
      expect([response.status, await response.json()]).toEqual([418, { error: 'teapot' }]);
    }
    service.clear();
    expect((await ask(USERINFO)).status).toBe(200);
  });

  it('replies in order, and repeats the last reply', async () => {
    const { service, ask } = await start();
    service.replyInOrder(respond(500), respond(204));
    const statuses = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await ask(USERINFO)).status);
    expect(statuses).toEqual([500, 204, 204]);
  });

  it.each<[Script, number]>([
    ['server-error', 500],
    ['html', 200],
    ['insufficient-scope', 403],
  ])('has the named failure %s', async (name, status) => {
    const { service, ask } = await start();
    service.on(USERINFO, name);
    expect((await ask(USERINFO)).status).toBe(status);
  });

  it('resets a connection before it processes the request, or after', async () => {
    const { service, ask } = await start();
    const count = () => service.newToken('code', 0, '');
    let issued = 0;
    service.newToken = () => {
      issued += 1;
      return `token-${issued}`;
    };
    service.on('/oauth/token', 'reset');
    await expect(ask('/oauth/token', { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(count()).toBe('token-1');
    service.on('/oauth/token', 'response-lost');
    await expect(ask('/oauth/token', { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(count()).toBe('token-4');
  });

  it('ends a response in the middle', async () => {
    const { service, ask } = await start();
    service.on(USERINFO, 'truncated');
    const response = await ask(USERINFO);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('never answers, and leaves the request to its caller', async () => {
    const { service, ask } = await start();
    service.on(USERINFO, 'hang');
    await expect(ask(USERINFO, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/);
    expect(service.requests[0]?.answeredAt).toBeUndefined();
  });

  it('answers late, or when the test releases the response', async () => {
    const { service, ask } = await start();
    service.on(USERINFO, () => ({ kind: 'slow', delayMs: 30 }));
    await ask(USERINFO);
    const [first] = service.requests;
    expect((first?.answeredAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(29);
    service.clear();
    const release = service.hold(USERINFO);
    const held = ask(USERINFO);
    await expect.poll(() => service.requests.length).toBe(2);
    expect(service.requests[1]?.answeredAt).toBeUndefined();
    release();
    expect((await held).status).toBe(200);
  });

  it('sends a response that does not end, or that does not continue', async () => {
    const { service, ask } = await start();
    const endless = endlessResponses();
    service.on(USERINFO, endless.script);
    const reader = (await ask(USERINFO)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => endless.cancelled).toBe(1);
    service.on(USERINFO, respondUnfinished('{"sub":'));
    const unfinished = (await ask(USERINFO)).body?.getReader();
    expect(new TextDecoder().decode((await unfinished?.read())?.value)).toBe('{"sub":');
    await unfinished?.cancel();
  });
});

it('rejects with the error that a script returns', async () => {
  const service = createFakeService(options);
  service.on(USERINFO, () => new TypeError('Failed to fetch'));
  await expect(fakeFetch(service)(`https://service.example${USERINFO}`)).rejects.toThrow('Failed to fetch');
});

it('answers pages of other origins', async () => {
  const service = await listening(options);
  const preflight = await fetch(service.url + USERINFO, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  expect((await fetch(service.url + USERINFO)).headers.get('access-control-allow-origin')).toBe('*');
});

it('answers other paths by its fallback', async () => {
  const service = await listening({ ...options, fallback: ({ path }) => new Response(`page ${path}`) });
  expect(await (await fetch(`${service.url}/shop`)).text()).toBe('page /shop');
});

it('knows an address at which nothing listens', async () => {
  await expect(fetch(await unusedAddress())).rejects.toThrow('fetch failed');
});
