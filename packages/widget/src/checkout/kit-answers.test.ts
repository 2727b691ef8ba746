import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE, stubPage } from '../../test/support/stub-page.js';
import { offeredPlans, requestCheckout, SettingError } from './kit-requests.js';

const send = vi.fn<typeof fetch>();
beforeEach(() => {
  stubPage();
  vi.stubGlobal('fetch', send);
});
afterEach(() => {
  send.mockReset();
  vi.unstubAllGlobals();
});

const json = (body: unknown, status = 200) => Response.json(body, { status });

describe('the answer to a checkout', () => {
  const order = { planId: 'gold', returnTo: '/club' };
  const ask = (response: Response) => {
    send.mockResolvedValueOnce(response);
    return requestCheckout('/auth', order);
  };

  it('belongs to a POST request of JSON with the cookie of this site, which follows no redirect', async () => {
    await ask(json({}));
    const [url, init] = send.mock.calls[0] ?? [];
    expect(`${url}`).toBe(`${SITE}/auth/checkout`);
    expect(init).toMatchObject({
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      credentials: 'same-origin',
      redirect: 'manual',
      cache: 'no-store',
    });
    expect(JSON.parse(`${init?.body}`)).toStrictEqual({ plan: 'gold', returnTo: '/club' });
  });

  it('with 200 and an http address is a checkout', async () => {
    const checkoutUrl = 'https://pay.example/c/1';
    expect(await ask(json({ checkoutUrl }))).toStrictEqual({ kind: 'created', checkoutUrl });
  });

  it.each([
    ['an address that is no web page', json({ checkoutUrl: 'javascript:alert(1)' }), 'service_unavailable'],
    ['no address', json({}), 'service_unavailable'],
    ['null', json(null), 'service_unavailable'],
    ['another 2xx', json({ checkoutUrl: 'https://pay.example/c/1' }, 201), 'service_unavailable'],
    ['299', json({}, 299), 'service_unavailable'],
    ['300', json({}, 300), 'misconfigured'],
    ['404', json({}, 404), 'misconfigured'],
    ['499', json({}, 499), 'misconfigured'],
    ['500', json({}, 500), 'service_unavailable'],
    ['503', json({}, 503), 'service_unavailable'],
    ['an unknown error', json({ error: 'teapot' }, 418), 'misconfigured'],
    ['an error that is no text', json({ error: ['plan_unknown'] }, 404), 'misconfigured'],
  ])('with %s is a failure', async (_, response, code) => {
    const { status } = response;
    expect(await ask(response)).toStrictEqual({
      kind: 'failed',
      failure: {
        code,
        during: 'checkout',
        message: `POST /auth/checkout returned ${status}. `,
        continueUrl: undefined,
      },
    });
  });

  it('with a page instead of JSON says so', async () => {
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    expect(await ask(page)).toMatchObject({
      failure: {
        code: 'service_unavailable',
        message: 'POST /auth/checkout returned 200, no JSON. ',
      },
    });
  });

  it('with a redirect is a setting to change', async () => {
    expect(await ask(Response.error())).toMatchObject({
      failure: { code: 'misconfigured', message: 'POST /auth/checkout returned a redirect. ' },
    });
  });

  it.each(['plan_unknown', 'already_member', 'already_paid', 'checkout_refused', 'service_unavailable'])(
    'with the error %s has its code, text and next page',
    async (error) => {
      const body = { error, message: 'The reason.', continueUrl: `${SITE}/club?a=b` };
      expect(await ask(json(body, 409))).toStrictEqual({
        kind: 'failed',
        failure: {
          code: error,
          during: 'checkout',
          message: 'POST /auth/checkout returned 409. The reason.',
          continueUrl: '/club?a=b',
        },
      });
    },
  );

  it('leads to no page of another site', async () => {
    const body = { error: 'already_member', continueUrl: 'https://other.example/' };
    expect(await ask(json(body, 409))).toMatchObject({ failure: { continueUrl: undefined } });
  });

  it('can ask for a sign-in, for a permission at a page of this site, or for the e-mail address', async () => {
    const required = (signInUrl: string | undefined) => ({ kind: 'sign-in-required', signInUrl });
    const signIn = await ask(json({ error: 'sign_in_required' }, 401));
    expect(signIn).toStrictEqual({ kind: 'sign-in-required' });
    const scope = (signInUrl: string) => ask(json({ error: 'insufficient_scope', signInUrl }, 403));
    expect(await scope('/auth/login?scope=a')).toStrictEqual(required('/auth/login?scope=a'));
    expect(await scope('https://other.example/login')).toStrictEqual(required(undefined));
    expect(await ask(json({ error: 'email_required' }, 409))).toStrictEqual({ kind: 'email-required' });
  });

  it('that never arrives is a failure of the network', async () => {
    send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await requestCheckout('/auth', order)).toMatchObject({
      failure: {
        code: 'network',
        message: 'POST /auth/checkout returned no response: TypeError: Failed to fetch. ',
      },
    });
  });

  it('is not asked of another site', async () => {
    await expect(requestCheckout('https://other.example', order)).rejects.toThrow(SettingError);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('the plans of a backend', () => {
  const plan = {
    id: 'gold',
    communityId: 'c1',
    name: 'Gold',
    price: '€9',
    term: 'per month',
    description: 'All of it.',
  };
  let serial = 0;
  /** Requests the plans of a backend that was not asked before, because plans are requested once. */
  const ask = (response: Response) => {
    serial += 1;
    send.mockResolvedValueOnce(response);
    return offeredPlans(`/auth${serial}`);
  };

  it('are requested once by GET, without a body', async () => {
    expect(await ask(json({ plans: [plan] }))).toStrictEqual({ kind: 'loaded', plans: [plan] });
    await offeredPlans(`/auth${serial}/`);
    expect(send).toHaveBeenCalledOnce();
    const [url, init] = send.mock.calls[0] ?? [];
    expect(`${url}`).toBe(`${SITE}/auth${serial}/plans`);
    expect(init).toMatchObject({ method: 'GET', headers: { accept: 'application/json' } });
    expect(init).not.toHaveProperty('body');
    expect(init?.headers).not.toHaveProperty('content-type');
  });

  it('have texts only, and empty ones for a missing price and term', async () => {
    const bare = { id: 'gold', name: 'Gold' };
    const odd = { ...plan, communityId: 7, price: { amount: 9 }, term: null, description: ['x'] };
    const expected = {
      id: 'gold',
      communityId: undefined,
      name: 'Gold',
      price: '',
      term: '',
      description: undefined,
    };
    expect(await ask(json({ plans: [bare, odd] }))).toStrictEqual({
      kind: 'loaded',
      plans: [expected, expected],
    });
  });

  it('leave out what has no id or no name', async () => {
    const { id, name } = plan;
    const plans = [null, 7, 'gold', {}, { id }, { name }, { id: 7, name }, { id, name: 7 }, plan];
    expect(await ask(json({ plans }))).toStrictEqual({ kind: 'loaded', plans: [plan] });
  });

  it.each([
    ['another 2xx', json({ plans: [] }, 201), 'plans_unavailable'],
    ['a list without its name', json([plan]), 'plans_unavailable'],
    ['plans that are no list', json({ plans: { 0: plan } }), 'plans_unavailable'],
    ['a page instead of JSON', new Response('<!doctype html>'), 'plans_unavailable'],
    ['503', json({}, 503), 'plans_unavailable'],
    ['404', json({}, 404), 'misconfigured'],
  ])('fail with %s, and can be requested again', async (_, response, code) => {
    const { status } = response;
    const result = await ask(response);
    expect(result).toMatchObject({ kind: 'failed', failure: { code, during: 'load' } });
    expect(result).toHaveProperty(
      'failure.message',
      expect.stringContaining(`GET /auth${serial}/plans returned ${status}`),
    );
    send.mockResolvedValueOnce(json({ plans: [plan] }));
    expect(await offeredPlans(`/auth${serial}`)).toMatchObject({ kind: 'loaded' });
  });

  it('fail without a response', async () => {
    send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await offeredPlans('/unreachable')).toMatchObject({
      failure: {
        code: 'plans_unavailable',
        message: 'GET /unreachable/plans returned no response: TypeError: Failed to fetch.',
      },
    });
  });

  it('name the missing route of the kit', async () => {
    expect(await ask(json({}, 404))).toHaveProperty(
      'failure.message',
      expect.stringContaining('Mount auth.checkout({ client, plans })'),
    );
  });
});
