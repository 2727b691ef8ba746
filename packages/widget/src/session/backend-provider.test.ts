import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE, stubPage } from '../../test/support/stub-page.js';
import { openChannel, type TabChannel } from '../browser/tabs.js';
import type { SessionResult } from '../state/login-state.js';
import { createBackendProvider } from './backend-provider.js';
import { createBackendReader } from './backend-reader.js';

const NOW = Date.UTC(2025, 5, 1);
const MINUTE = 60_000;
const user = { sub: 'u1', email: null };
const grant = { code: 'code', codeVerifier: 'verifier', redirectUri: 'https://a.example/', scopes: ['a'] };
const { signal } = new AbortController();

const send = vi.fn<typeof fetch>();
let tabs: TabChannel;
let page: AbortController;
let provider: ReturnType<typeof createBackendProvider>;

const service = {
  serviceUrl: 'https://service.example',
  clientId: 'oac_0123456789abcdef01234567',
  clock: { now: () => NOW },
  fetch: send,
};
/** Returns the addresses of the requests. They're absolute, because the fetch of Node, which jsdom's pages use, knows no page. */
const requested = () => send.mock.calls.map(([url]) => `${url}`);

/** No other test posts to this channel. */
const name = crypto.randomUUID();

beforeEach(() => {
  stubPage();
  page = new AbortController();
  tabs = openChannel(name, page.signal);
  provider = createBackendProvider(createBackendReader(service, '/auth'), { tabs, receive: () => {} });
});
afterEach(() => {
  page.abort();
  send.mockReset();
  vi.unstubAllGlobals();
});

const answer = (body: unknown, status = 200) => send.mockResolvedValueOnce(Response.json(body, { status }));
const renew = (body: unknown, status?: number) => {
  answer(body, status);
  return provider.renew(signal);
};
const signedIn = (expiresAt: number) => ({ signedIn: true, user, expiresAt, memberships: [] });

describe('the session that a backend returns', () => {
  it.each<[string, unknown, SessionResult['type']]>([
    ['without a user', { signedIn: false }, 'session-absent'],
    ['that ended elsewhere', { signedIn: false, reason: 'signed_out' }, 'session-absent'],
    ['that expired', { signedIn: false, reason: 'expired' }, 'session-ended'],
  ])('%s: %j → %s', async (_, body, type) => {
    expect(await renew(body)).toStrictEqual({ type });
  });

  it.each([
    ['a minute before its expiry', MINUTE, { renewAt: MINUTE, endsAt: 6 * MINUTE }],
    ['just less than a minute before it', MINUTE - 1, { renewAt: MINUTE, endsAt: 6 * MINUTE - 1 }],
    ['an hour before it', 60 * MINUTE, { renewAt: 60 * MINUTE, endsAt: 65 * MINUTE }],
    // The clock of this machine is two hours behind.
    ['three hours before it', 180 * MINUTE, { renewAt: 60 * MINUTE, endsAt: 185 * MINUTE }],
    ['at its expiry', 0, { renewAt: MINUTE, endsAt: 5 * MINUTE }],
    ['after its expiry', -MINUTE, { renewAt: MINUTE, endsAt: 5 * MINUTE }],
  ])(
    '%s is renewed after a minute at the earliest and an hour at the latest, and ends five minutes after its expiry',
    async (_, after, times) => {
      expect(await renew(signedIn(NOW + after))).toStrictEqual({
        type: 'session-found',
        session: {
          user,
          memberships: [],
          readAt: NOW,
          expiresAt: NOW + after,
          renewAt: NOW + times.renewAt,
          endsAt: NOW + times.endsAt,
        },
      });
    },
  );

  it.each([undefined, null, {}, 'none'])('has unknown memberships if they are %j', async (memberships) => {
    const result = await renew({ ...signedIn(NOW), memberships });
    expect(result).toHaveProperty('session.memberships', undefined);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'signed in'],
    ['an empty object', {}],
    ['a session that is only truthy', { ...signedIn(NOW), signedIn: 1 }],
    ['a session without a user', { ...signedIn(NOW), user: undefined }],
    ['a user without sub', { ...signedIn(NOW), user: { email: 'ada@example.com' } }],
    ['a user whose sub is a number', { ...signedIn(NOW), user: { sub: 7 } }],
    ['a session without an expiry', { ...signedIn(NOW), expiresAt: undefined }],
    ['an expiry that is a text', { ...signedIn(NOW), expiresAt: '2025-06-01' }],
  ])('is not of the kit if it is %s', async (_, body) => {
    await expect(renew(body)).rejects.toMatchObject({
      code: 'misconfigured',
      message: 'backend="/auth": /auth/session is not the Express kit.',
    });
  });
});

it.each([200, 404])('a page instead of JSON is not of the kit: %i', async (status) => {
  send.mockResolvedValueOnce(new Response('<!doctype html>', { status }));
  await expect(provider.renew(signal)).rejects.toMatchObject({ code: 'misconfigured' });
});

describe('a request to a backend', () => {
  it('may use the cache of the kit at the first lookup only', async () => {
    for (let lookup = 0; lookup < 3; lookup += 1) await renew({ signedIn: false });
    expect(requested()).toStrictEqual([
      `${SITE}/auth/session`,
      `${SITE}/auth/session?fresh`,
      `${SITE}/auth/session?fresh`,
    ]);
    const init = send.mock.calls[0]?.[1];
    expect(init).toMatchObject({
      headers: { accept: 'application/json' },
      credentials: 'same-origin',
      cache: 'no-store',
    });
    expect(new Request('https://shop.example/auth/session', init)).toMatchObject({
      method: 'GET',
      body: null,
    });
    expect(init?.headers).not.toHaveProperty('content-type');
  });

  it('exchanges a code with its verifier and redirect URI', async () => {
    answer({ ...signedIn(NOW), user: { sub: 'of the exchange' } });
    answer(signedIn(NOW));
    expect(await provider.exchange(grant, signal)).toMatchObject({ user });
    const [, init] = send.mock.calls[0] ?? [];
    expect(init).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    const { scopes: _, ...sent } = grant;
    expect(JSON.parse(`${init?.body}`)).toStrictEqual(sent);
    expect(requested()).toStrictEqual([`${SITE}/auth/exchange`, `${SITE}/auth/session`]);
  });

  it('that exchanges a code fails if the next request has no session', async () => {
    answer(signedIn(NOW));
    answer({ signedIn: false });
    const posted = vi.fn();
    const other = openChannel(name, page.signal);
    other.onmessage = posted;
    await expect(provider.exchange(grant, signal)).rejects.toMatchObject({ code: 'cookies_blocked' });
    expect(posted).not.toHaveBeenCalled();
  });

  it.each([
    ['a 502', () => answer('<h1>Bad Gateway</h1>', 502)],
    ['a lost connection', () => send.mockRejectedValueOnce(new TypeError('Failed to fetch'))],
  ])(
    'that exchanges a code keeps the session that began if the next request ends with %s',
    async (_, fail) => {
      answer(signedIn(NOW));
      fail();
      expect(await provider.exchange(grant, signal)).toMatchObject({ user });
    },
  );

  it('that exchanges a code must return a session', async () => {
    answer({ signedIn: false });
    await expect(provider.exchange(grant, signal)).rejects.toMatchObject({
      code: 'misconfigured',
      message: expect.stringContaining('/auth/exchange is not the Express kit.'),
    });
  });

  it('ends a session by POST', async () => {
    send.mockResolvedValueOnce(new Response(null, { status: 204 }));
    await provider.signOut(signal);
    expect(send).toHaveBeenCalledExactlyOnceWith(
      new URL('/auth/logout', SITE),
      expect.objectContaining({ method: 'POST', body: '{}' }),
    );
  });

  it.each<[number, unknown, string]>([
    [199, { error: 'odd' }, 'misconfigured'],
    [300, { error: 'odd' }, 'misconfigured'],
    [400, { error: 'invalid_grant' }, 'code_expired'],
    [400, { error: 'invalid_request' }, 'misconfigured'],
    [499, { error: 'forbidden' }, 'misconfigured'],
    [499, {}, 'misconfigured'],
    [404, null, 'misconfigured'],
    [429, null, 'service_error'],
    [429, { error: 'slow_down' }, 'service_error'],
    [500, {}, 'service_error'],
    [503, { error: 'invalid_grant' }, 'service_error'],
  ])('with %i %j fails with %s', async (status, body, code) => {
    // A Response cannot have a status below 200.
    const text = async () => JSON.stringify(body);
    send.mockResolvedValueOnce({ status, text } as Response);
    await expect(provider.renew(signal)).rejects.toMatchObject({ code });
  });

  it('that fails has the status and the text of the backend', async () => {
    answer({ error: 'forbidden', message: 'The reason.' }, 403);
    await expect(provider.renew(signal)).rejects.toMatchObject({
      message: '/auth/session returned 403. The reason.',
    });
    answer({ error: 'forbidden' }, 403);
    await expect(provider.renew(signal)).rejects.toMatchObject({
      message: '/auth/session?fresh returned 403. ',
    });
  });

  it('without a response fails with its cause', async () => {
    const cause = new TypeError('Failed to fetch');
    send.mockRejectedValue(cause);
    const failure = { message: 'No response from /auth/session.', cause };
    await expect(provider.renew(signal)).rejects.toMatchObject({ ...failure, code: 'network' });
  });

  it('is aborted with the session', async () => {
    const abort = new AbortController();
    await Promise.all([
      renew({ signedIn: false }).then(() => {}),
      provider.renew(abort.signal).catch(() => {}),
    ]);
    expect(send.mock.calls[1]?.[1]?.signal?.aborted).toBe(false);
    abort.abort();
    expect(send.mock.calls[0]?.[1]?.signal?.aborted).toBe(false);
    expect(send.mock.calls[1]?.[1]?.signal?.aborted).toBe(true);
  });

  it('needs no token in the page', () => {
    expect(provider.accessToken).toBeUndefined();
    expect(provider.mayHaveSession).toBe(true);
  });
});

describe('the other tabs of the site', () => {
  it('receive each sign-in and sign-out, until they are closed', async () => {
    const gone = new AbortController();
    const [open, closed] = [openChannel(name, page.signal), openChannel(name, gone.signal)];
    const [received, late] = [vi.fn(), vi.fn()];
    open.onmessage = ({ data }) => received(data);
    closed.onmessage = late;
    gone.abort();
    answer(signedIn(NOW));
    answer(signedIn(NOW));
    const session = await provider.exchange(grant, signal);
    answer({});
    await provider.signOut(signal);
    await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(2));
    expect(received.mock.calls).toStrictEqual([
      [{ type: 'session-found', session }],
      [{ type: 'session-absent' }],
    ]);
    expect(late).not.toHaveBeenCalled();
  });
});
