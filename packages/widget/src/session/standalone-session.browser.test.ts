import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { ada, community, expectAda, idsOf } from '../../test/support/fake-api.js';
import { happens } from '../../test/support/happens.js';
import {
  createSignedInSession,
  createTestSession,
  disposeSessions,
} from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { until } from '../../test/support/until.js';

const MINUTE = 60_000;
const TOKEN = 'POST /oauth/token';

const invalidGrant = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
const noConnection = () => new TypeError('Failed to fetch');

afterEach(disposeSessions);

describe('a standalone session', () => {
  it('asks nothing of the network before the first click', async () => {
    const { session, api } = createTestSession();
    await session.prepare();
    await session.refresh();
    happens(document, 'visibilitychange');
    happens(window, 'online');
    await settled();
    expect(session.snapshot).to.deep.equal({ status: 'signed-out', signedIn: false });
    expect(api.log()).to.deep.equal([]);
  });

  it('asks for the token, then for the user and the memberships, and nothing more [token.accept-created]', async () => {
    const { session, api } = await createSignedInSession();
    // The widget sends both reads at the same time, in no fixed order.
    const [first, ...reads] = api.log();
    expect(first).to.equal(TOKEN);
    expect(reads).to.have.members(['GET /oauth/userinfo', 'GET /oauth/memberships']);
    expect(session.snapshot).to.deep.include({ status: 'signed-in', signedIn: true });
    expectAda(session.snapshot);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
  });

  it('exchanges the code with its verifier and without a secret, in the body [general.widget-is-public-client] [token.client-secret-post]', async () => {
    const { api } = await createSignedInSession();
    const [exchange] = api.seen;
    const form = Object.fromEntries(exchange?.form ?? []);
    expect(form).to.include({
      grant_type: 'authorization_code',
      client_id: clientId('good'),
      code: 'the-code',
    });
    expect(form.code_verifier).to.match(/^[\w-]{43}$/);
    expect(new URL(form.redirect_uri ?? '').pathname).to.equal(`/widget/callback/${clientId('good')}`);
    expect(form).not.to.have.property('client_secret');
    expect(exchange?.headers).not.to.have.property('authorization');
  });

  it('keeps no token where the page could find it', async () => {
    const { session } = await createSignedInSession();
    expect(JSON.stringify(session.snapshot)).not.to.match(/access-|refresh-/);
    expect(localStorage.length + sessionStorage.length).to.equal(0);
    expect(document.cookie).to.equal('');
  });

  it('does not request memberships without the scope, and reports them as unknown', async () => {
    const { session, api } = createTestSession({ scopes: ['products.read'] });
    api.on(TOKEN, () =>
      Response.json(
        {
          access_token: 'a',
          refresh_token: 'r',
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'products.read',
        },
        { status: 201 },
      ),
    );
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    expect(api.count('GET /oauth/memberships')).to.equal(0);
    expect(session.snapshot).not.to.have.property('memberships');
  });

  it('signs out by forgetting, without a request [revoke.public-forgets-locally]', async () => {
    const { session, api, time } = await createSignedInSession();
    const asked = api.seen.length;
    await session.signOut();
    expect(session.snapshot.status).to.equal('signed-out');
    await time.advance(120 * MINUTE);
    await session.refresh();
    expect(api.seen.length).to.equal(asked);
    expect(time.delays()).to.deep.equal([]);
  });
});

describe('without a refresh token', () => {
  const onlyAccessToken = () => Response.json({ access_token: 'a' });

  it('a session has the requested scopes, and ends with its access token, without a request', async () => {
    const { session, api, time } = createTestSession();
    api.on(TOKEN, onlyAccessToken);
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    await time.advance(60 * MINUTE - 1);
    expect(session.snapshot.signedIn).to.equal(true);
    await time.advance(1);
    await until('expired', () => !session.snapshot.signedIn);
    expect(session.snapshot.status).to.equal('expired');
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('a refresh reads the user and the memberships again, and keeps the session', async () => {
    const { session, api } = createTestSession();
    api.on(TOKEN, onlyAccessToken);
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    await session.refresh();
    expect(session.snapshot.signedIn).to.equal(true);
    const [first, ...reads] = api.log();
    expect(first).to.equal(TOKEN);
    expect(reads).to.have.members([
      'GET /oauth/userinfo',
      'GET /oauth/memberships',
      'GET /oauth/userinfo',
      'GET /oauth/memberships',
    ]);
  });
});

describe('a refresh', () => {
  it('keeps the refresh token if the response contains none', async () => {
    const { api, time } = await createSignedInSession();
    api.on(TOKEN, ({ form }) => Response.json({ access_token: `after-${form.get('refresh_token')}` }));
    await time.advance(59 * MINUTE);
    await time.advance(59 * MINUTE);
    const sent = api.seen.map(({ form }) => form.get('refresh_token')).filter(Boolean);
    expect(sent).to.have.length(2);
    expect(sent[0]).to.equal(sent[1]);
  });

  it('comes a minute ahead of the end of the token, hour after hour [credentials.refresh-rotates]', async () => {
    const { session, api, time } = await createSignedInSession();
    await time.advance(59 * MINUTE - 1);
    expect(api.count(TOKEN)).to.equal(1);
    await time.advance(1);
    expect(api.count(TOKEN)).to.equal(2);
    await time.advance(59 * MINUTE);
    expect(api.count(TOKEN)).to.equal(3);
    const tokens = api.seen
      .filter(({ path }) => path === '/oauth/token')
      .map(({ form }) => form.get('refresh_token'));
    expect(tokens).to.deep.equal([null, 'refresh-1', 'refresh-2']);
    expect(session.snapshot.status).to.equal('signed-in');
  });

  it('comes at nine tenths of a short life', async () => {
    const { session, api, time } = createTestSession();
    api.on(TOKEN, () =>
      Response.json(
        { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 100, scope: '' },
        { status: 201 },
      ),
    );
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    await time.advance(90_000 - 1);
    expect(api.count(TOKEN)).to.equal(1);
    await time.advance(1);
    expect(api.count(TOKEN)).to.equal(2);
  });

  it('whose answer came late is made up for at the end of the pause, and not in a loop', async () => {
    const { session, api, time } = await createSignedInSession();
    let answer = (_: Response) => {};
    api.on(
      TOKEN,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await time.advance(59 * MINUTE);
    time.sleep(60 * MINUTE);
    api.on(TOKEN, undefined);
    answer(
      Response.json(
        { access_token: 'late', refresh_token: 'r', token_type: 'Bearer', expires_in: 3600, scope: '' },
        { status: 201 },
      ),
    );
    await until('renewed', () => session.snapshot.memberships === undefined);
    expect(api.count(TOKEN)).to.equal(2);
    await time.advance(5000);
    expect(api.count(TOKEN)).to.equal(3);
    await time.advance(10 * MINUTE);
    expect(api.count(TOKEN)).to.equal(3);
  });

  it('reloads the memberships', async () => {
    const { session, api } = await createSignedInSession();
    api.on('GET /oauth/memberships', () => Response.json({ memberships: [] }));
    await session.refresh();
    expect(session.snapshot.memberships).to.deep.equal([]);
    expect(session.snapshot.status).to.equal('signed-in');
  });

  it('is shared by concurrent calls', async () => {
    const { session, api, time } = await createSignedInSession();
    time.sleep(59 * MINUTE + 1000);
    const [one, two] = await Promise.all([
      session.getAccessToken(),
      session.getAccessToken(),
      session.refresh(),
      time.advance(0),
    ]);
    expect(one).to.equal('access-2');
    expect(two).to.equal('access-2');
    expect(api.count(TOKEN)).to.equal(2);
  });

  it('that is rejected ends in expired, once and without a loop [oauth-error.branch-on-error]', async () => {
    const { session, api, time } = await createSignedInSession();
    const seen: string[] = [];
    session.subscribe(({ status }) => seen.push(status));
    api.on(TOKEN, invalidGrant);
    await time.advance(59 * MINUTE);
    expect(seen).to.deep.equal(['expired']);
    await time.advance(24 * 60 * MINUTE);
    happens(window, 'online');
    await session.refresh();
    expect(api.count(TOKEN)).to.equal(2);
    expect(seen).to.deep.equal(['expired']);
  });

  it('without a connection is tried again, at growing distances, and then succeeds', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(TOKEN, noConnection);
    await time.advance(59 * MINUTE);
    expect(api.count(TOKEN)).to.equal(2);
    await time.advance(1000);
    expect(api.count(TOKEN)).to.equal(3);
    await time.advance(1999);
    expect(api.count(TOKEN)).to.equal(3);
    await time.advance(1);
    expect(api.count(TOKEN)).to.equal(4);
    api.on(TOKEN, undefined);
    await time.advance(4000);
    expect(api.count(TOKEN)).to.equal(5);
    expect(session.snapshot.status).to.equal('signed-in');
    expect(await session.getAccessToken()).to.equal('access-2');
  });

  it('without a connection until the token ends is expired, and comes back with the connection', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(TOKEN, noConnection);
    await time.advance(60 * MINUTE - 1);
    expect(session.snapshot.status).to.equal('signed-in');
    await time.advance(1);
    expect(session.snapshot.status).to.equal('expired');
    const asked = api.count(TOKEN);
    await time.advance(60 * MINUTE);
    expect(api.count(TOKEN)).to.equal(asked);

    api.on(TOKEN, undefined);
    happens(window, 'online');
    await time.advance(0);
    await until('signed in again', () => session.snapshot.signedIn);
  });

  it('treats a failing service like a failing connection [general.unlisted-status-by-class]', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(TOKEN, () => new Response('', { status: 503 }));
    await time.advance(59 * MINUTE);
    expect(session.snapshot.status).to.equal('signed-in');
    api.on(TOKEN, undefined);
    await time.advance(1000);
    expect(api.count(TOKEN)).to.equal(3);
  });

  it('that was due while the computer slept comes when the page is seen again', async () => {
    const { session, api, time } = await createSignedInSession();
    time.sleep(8 * 60 * MINUTE);
    expect(api.count(TOKEN)).to.equal(1);
    happens(document, 'visibilitychange');
    await time.advance(0);
    await until('refreshed', () => api.count(TOKEN) === 2);
    await until('signed in', () => session.snapshot.status === 'signed-in');
    happens(window, 'pageshow');
    await settled();
    expect(api.count(TOKEN)).to.equal(2);
  });

  it('whose memberships cannot be read keeps those that were known', async () => {
    const { session, api } = await createSignedInSession();
    api.on('GET /oauth/memberships', noConnection);
    await session.refresh();
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    expect(await session.getAccessToken()).to.equal('access-2');
  });

  it('that is running at sign-out does not sign the user in again', async () => {
    const { session, api } = await createSignedInSession();
    let answer = (_: Response) => {};
    api.on(TOKEN, () => new Promise((resolve) => (answer = resolve)));
    const refresh = session.refresh();
    await until('asked', () => api.count(TOKEN) === 2);
    await session.signOut();
    answer(Response.json({}, { status: 201 }));
    await refresh;
    expect(session.snapshot.status).to.equal('signed-out');
    await session.getAccessToken().then(
      () => expect.fail('A token of somebody who signed out.'),
      (error: { code?: string }) => expect(error.code).to.equal('invalid_token'),
    );
  });
});

describe('a page that is shown again', () => {
  const MEMBERSHIPS = 'GET /oauth/memberships';
  const course = { ...community, id: 'bought', productType: 'digital_product' };
  const show = async (time: { advance(milliseconds: number): Promise<void> }) => {
    happens(document, 'visibilitychange');
    happens(window, 'pageshow');
    await time.advance(0);
  };

  it('reads the memberships again, so that a purchase in another tab counts, and rotates no token', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(MEMBERSHIPS, () => Response.json({ memberships: [community, course] }));
    await time.advance(2000);
    await show(time);
    await time.advance(2999);
    expect(api.count(MEMBERSHIPS)).to.equal(1);
    await time.advance(1);
    await until('bought', () => session.snapshot.memberships?.length === 2);
    expect(api.count(TOKEN)).to.equal(1);
    expect(await session.getAccessToken()).to.equal('access-1');
  });

  it('asks at most every five seconds, and refreshes on time as before', async () => {
    const { api, time } = await createSignedInSession();
    await time.advance(5000);
    for (let visit = 0; visit < 10; visit++) {
      await show(time);
      await time.advance(1000);
    }
    expect(api.count(MEMBERSHIPS)).to.equal(4);
    await time.advance(59 * MINUTE - 15_001);
    expect(api.count(TOKEN)).to.equal(1);
    await time.advance(1);
    expect(api.count(TOKEN)).to.equal(2);
  });

  it('asks at most every five seconds while the service fails, and keeps the session', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(MEMBERSHIPS, noConnection);
    await time.advance(5000);
    for (let visit = 0; visit < 10; visit++) await show(time);
    // The request that failed was sent twice.
    expect(api.count(MEMBERSHIPS)).to.equal(3);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    // The check is repeated until the service answers, still without a rotation.
    api.on(MEMBERSHIPS, () => Response.json({ memberships: [community, course] }));
    await time.advance(1000);
    expect(session.snapshot.memberships).to.have.length(2);
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('asks nothing while it is hidden, signed out or expired', async () => {
    const { session, api, time } = await createSignedInSession();
    await time.advance(MINUTE);
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
    await settled();
    await session.signOut();
    await show(time);
    expect(api.count(MEMBERSHIPS)).to.equal(1);
  });

  it('whose token the service revoked refreshes it', async () => {
    const { session, api, time } = await createSignedInSession();
    let revoked = true;
    api.on('GET /oauth/userinfo', () => {
      if (!revoked) return Response.json(ada);
      revoked = false;
      return Response.json({ error: 'invalid_token' }, { status: 401 });
    });
    await time.advance(5000);
    await show(time);
    await until('refreshed', () => api.count(TOKEN) === 2);
    await settled();
    expect(session.snapshot.status).to.equal('signed-in');
  });
});

describe('a refresh that a new sign-in overtakes', () => {
  it('does not bring the old user back', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(TOKEN, noConnection);
    await time.advance(60 * MINUTE);
    expect(session.snapshot.status).to.equal('expired');

    // The connection is back; the old session's user is slow to come.
    api.on(TOKEN, undefined);
    let answer = (_: Response) => {};
    api.on(
      'GET /oauth/userinfo',
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    happens(window, 'online');
    await time.advance(0);
    await until('the old user was asked for', () => api.count('GET /oauth/userinfo') === 2);
    const answerOld = answer;

    const ben = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0009', email: 'ben@example.com' };
    api.on('GET /oauth/userinfo', () => Response.json(ben));
    session.signIn();
    await until('signed in', () => session.snapshot.user?.email === 'ben@example.com');
    answerOld(Response.json(ada));
    await settled();
    await settled();
    expect(session.snapshot.user).to.deep.equal(ben);
  });
});

describe('a membership that ends', () => {
  const ending = (inMilliseconds: number, now: number) => ({
    ...community,
    id: `ends-${inMilliseconds}`,
    validUntil: new Date(now + inMilliseconds).toISOString(),
  });

  async function signedInWith(...ends: number[]) {
    const world = createTestSession();
    const list = [...ends.map((end) => ending(end, world.time.clock.now())), community];
    const answer = () => {
      const now = world.time.clock.now();
      return Response.json({
        memberships: list.filter((one) => !('validUntil' in one) || Date.parse(`${one.validUntil}`) > now),
      });
    };
    world.api.on('GET /oauth/memberships', answer);
    world.session.signIn();
    await until('signed in', () => world.session.snapshot.signedIn);
    return { ...world, answer };
  }

  it('is read again at its end, and taken off if the service no longer lists it', async () => {
    const { session, api, time } = await signedInWith(10 * MINUTE, 20 * MINUTE);
    await time.advance(10 * MINUTE - 1);
    expect(session.snapshot.memberships).to.have.length(3);
    expect(api.count('GET /oauth/memberships')).to.equal(1);
    await time.advance(1);
    expect(session.snapshot.memberships).to.have.length(2);
    await time.advance(10 * MINUTE);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    expect(api.count('GET /oauth/memberships')).to.equal(3);
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('and was renewed at the service stays, without a moment in which it is gone', async () => {
    const { session, api, time } = await signedInWith(10 * MINUTE);
    const renewed = { ...ending(10 * MINUTE, time.clock.now()), validUntil: '2099-01-01T00:00:00.000Z' };
    api.on('GET /oauth/memberships', () => Response.json({ memberships: [renewed, community] }));
    const lengths: unknown[] = [];
    session.subscribe(({ memberships }) => lengths.push(memberships?.length));
    await time.advance(15 * MINUTE);
    expect(lengths).to.deep.equal([2]);
  });

  it('does not come back with a refresh that cannot read the memberships', async () => {
    const { session, api, time } = await signedInWith(10 * MINUTE);
    api.on('GET /oauth/memberships', noConnection);
    await time.advance(12 * MINUTE);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    await session.refresh();
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
    expect(await session.getAccessToken()).to.equal('access-2');
  });

  it('while nothing could be read until the token ended does not come back with the connection', async () => {
    const { session, api, time } = await signedInWith(10 * MINUTE);
    api.on(TOKEN, noConnection);
    api.on('GET /oauth/memberships', noConnection);
    await time.advance(60 * MINUTE);
    expect(session.snapshot.status).to.equal('expired');
    api.on(TOKEN, undefined);
    dispatchEvent(new Event('online'));
    await time.advance(0);
    await until('signed in again', () => session.snapshot.signedIn);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
  });

  it('while the computer sleeps stays until the service answers, and at most about a minute without an answer', async () => {
    const { session, api, time } = await signedInWith(10 * MINUTE);
    api.on('GET /oauth/memberships', noConnection);
    time.sleep(10 * MINUTE);
    happens(document, 'visibilitychange');
    // Second by second, so that each read ends before the next one is due.
    for (let second = 1; second < 60; second += 1) await time.advance(1000);
    expect(session.snapshot.memberships).to.have.length(2);
    for (let second = 60; second < 75; second += 1) await time.advance(1000);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
  });

  it('while the computer sleeps is taken off when the page is seen again', async () => {
    const { session, time } = await signedInWith(10 * MINUTE);
    time.sleep(10 * MINUTE);
    happens(document, 'visibilitychange');
    await time.advance(0);
    expect(idsOf(session.snapshot)).to.deep.equal([community.id]);
  });

  it('counts while the service lists it, even if this machine’s clock is fast', async () => {
    const { session, api, time } = createTestSession();
    api.on('GET /oauth/memberships', () =>
      Response.json({ memberships: [ending(-60 * MINUTE, time.clock.now())] }),
    );
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    await time.advance(MINUTE);
    expect(session.snapshot.memberships).to.have.length(1);
  });
});

it('a confidential client without a backend is told to use one, and never to send its secret', async () => {
  const { session, api } = createTestSession();
  const description = 'client_secret is missing; send it in the body';
  api.on(TOKEN, () =>
    Response.json({ error: 'invalid_client', error_description: description }, { status: 401 }),
  );
  session.signIn();
  await until('failed', () => session.snapshot.status === 'failed');
  const { code, message } = session.snapshot.failure ?? {};
  expect(code).to.equal('misconfigured');
  expect(message).to.contain('Set backend').and.to.contain('use a public client');
  expect(message).not.to.contain('secret');
});

describe('an access token', () => {
  it('is given as it is while it is fresh [credentials.opaque-tokens]', async () => {
    const { session, api } = await createSignedInSession();
    expect(await session.getAccessToken()).to.equal('access-1');
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('that ends within a minute is refreshed first', async () => {
    const { session, time } = await createSignedInSession();
    time.sleep(59 * MINUTE);
    expect(await session.getAccessToken()).to.equal('access-2');
  });

  it('that cannot be refreshed is given while it is still good', async () => {
    const { session, api, time } = await createSignedInSession();
    api.on(TOKEN, noConnection);
    time.sleep(59 * MINUTE + 30_000);
    expect(await session.getAccessToken()).to.equal('access-1');
  });

  it('is rejected while no user is signed in', async () => {
    const { session } = createTestSession();
    const error = await session.getAccessToken().catch((problem: unknown) => problem);
    expect(error).to.have.property('code', 'invalid_token');
  });
});
