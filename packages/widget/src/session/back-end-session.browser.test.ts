import { expect } from 'chai';
import { BASE_HINT, withBaseOfAnotherSite } from '../../test/support/base-of-another-site.js';
import { clientId } from '../../test/support/client-id.js';
import { ada, community, createFakeApi } from '../../test/support/fake-api.js';
import { createFakeTime } from '../../test/support/fake-time.js';
import { happens } from '../../test/support/happens.js';
import { createTestSession, disposeSessions } from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { until } from '../../test/support/until.js';

const HOUR = 3600_000;
const SESSION = 'GET /auth/session';
const EXCHANGE = 'POST /auth/exchange';
const LOGOUT = 'POST /auth/logout';

afterEach(disposeSessions);

/** Creates a session with a fake backend. By default no user is signed in. */
function createBackEndWorld(options: { backend?: string; clientId?: string } = {}) {
  const api = createFakeApi();
  const time = createFakeTime();
  const body = () => ({
    signedIn: true,
    user: ada,
    memberships: [community],
    expiresAt: time.clock.now() + HOUR,
  });
  let hasCookie = false;
  api.on(SESSION, () => Response.json(hasCookie ? body() : { signedIn: false }));
  api.on(EXCHANGE, () => {
    hasCookie = true;
    return Response.json(body());
  });
  api.on(LOGOUT, () => new Response(null, { status: 204 }));
  const start = () =>
    createTestSession({
      backend: '/auth',
      fetch: api.fetch,
      clock: time.clock,
      timers: time.timers,
      ...options,
    }).session;
  return { api, time, body, start };
}

async function signedIn() {
  const world = createBackEndWorld();
  world.api.on(SESSION, () => Response.json(world.body()));
  const session = world.start();
  await until('signed in', () => session.snapshot.signedIn);
  return { ...world, session };
}

/** Answer of the fake backend that waits until the test gives it. */
function heldAnswer() {
  let give = (_: Response | TypeError) => {};
  const answer = () =>
    new Promise<Response>((resolve, reject) => {
      give = (given) => (given instanceof Response ? resolve(given) : reject(given));
    });
  return { answer, give: (given: Response | TypeError) => give(given) };
}

describe('a backend session', () => {
  it('is looked up once when the page loads', async () => {
    const { session, api } = await signedIn();
    expect(session.snapshot.user).to.deep.equal(ada);
    expect(session.snapshot.memberships).to.deep.equal([community]);
    expect(api.log()).to.deep.equal([SESSION]);
  });

  it('is checking until the backend has answered', async () => {
    const { start } = createBackEndWorld();
    const session = start();
    expect(session.snapshot.status).to.equal('checking');
    await until('answered', () => session.snapshot.status === 'signed-out');
  });

  it('becomes expired if the backend reports its expiry', async () => {
    const { start, api } = createBackEndWorld();
    api.on(SESSION, () => Response.json({ signedIn: false, reason: 'expired' }));
    const session = start();
    await until('expired', () => session.snapshot.status === 'expired');
  });

  it('sends the code and its verifier to the backend, and nothing to the service', async () => {
    const { start, api } = createBackEndWorld();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    expect(api.log()).to.deep.equal([SESSION, EXCHANGE, SESSION]);
    const request = api.seen[1];
    const body = JSON.parse(request?.body ?? '');
    expect(Object.keys(body).sort()).to.deep.equal(['code', 'codeVerifier', 'redirectUri']);
    expect(body.codeVerifier).to.match(/^[\w-]{43}$/);
    expect(request?.headers['content-type']).to.equal('application/json');
  });

  it('whose cookie the browser does not keep is a failed sign-in, and the console names the reason', async () => {
    const { start, api } = createBackEndWorld();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    api.on(SESSION, () => Response.json({ signedIn: false }));
    const { console: developerConsole } = globalThis;
    const { error } = developerConsole;
    const said: string[] = [];
    developerConsole.error = (text: string) => void said.push(text);
    try {
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      await settled();
    } finally {
      developerConsole.error = error;
    }
    expect(session.snapshot.failure).to.include({ code: 'cookies_blocked', during: 'sign-in' });
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/cookie of \/auth.*latchkey explain cookies_blocked$/);
  });

  it('has no access token to give to the page', async () => {
    const { session } = await signedIn();
    const error = await session.getAccessToken().catch((problem: unknown) => problem);
    expect(error).to.have.property('code', 'invalid_configuration');
  });

  it('is looked at again when its token ends, and goes on', async () => {
    const { session, api, time } = await signedIn();
    await time.advance(HOUR - 1);
    expect(api.count(SESSION)).to.equal(1);
    await time.advance(1);
    expect(api.count(SESSION)).to.equal(2);
    expect(session.snapshot.status).to.equal('signed-in');
  });

  it('is not asked for in a loop by a backend whose session has already ended', async () => {
    const { api, time, start, body } = createBackEndWorld();
    api.on(SESSION, () => Response.json({ ...body(), expiresAt: 0 }));
    const session = start();
    await until('signed in', () => session.snapshot.signedIn);
    await time.advance(59_000);
    expect(api.count(SESSION)).to.equal(1);
  });

  it('that the backend has ended is expired, or signed out when it was ended elsewhere', async () => {
    for (const [answer, status] of [
      [{ signedIn: false, reason: 'expired' }, 'expired'],
      [{ signedIn: false }, 'signed-out'],
    ] as const) {
      const { session, api } = await signedIn();
      api.on(SESSION, () => Response.json(answer));
      await session.refresh();
      expect(session.snapshot.status).to.equal(status);
    }
  });

  it('survives a short outage of the backend, and is expired after a long one', async () => {
    const { session, api, time } = await signedIn();
    api.on(SESSION, () => new Response('', { status: 502 }));
    await time.advance(HOUR + 4 * 60_000);
    expect(session.snapshot.status).to.equal('signed-in');
    await time.advance(2 * 60_000);
    expect(session.snapshot.status).to.equal('expired');
  });

  it('ends at the backend', async () => {
    const { session, api } = await signedIn();
    await session.signOut();
    expect(session.snapshot.status).to.equal('signed-out');
    expect(api.log()).to.deep.equal([SESSION, LOGOUT]);
  });

  it('stays signed in with a failure if the backend could not end it', async () => {
    const { session, api } = await signedIn();
    api.on(LOGOUT, () => new TypeError('Failed to fetch'));
    await session.signOut();
    expect(session.snapshot.status).to.equal('signed-in');
    expect(session.snapshot.failure).to.include({ code: 'network', during: 'sign-out' });
    api.on(LOGOUT, () => new Response(null, { status: 204 }));
    await session.signOut();
    expect(session.snapshot.status).to.equal('signed-out');
  });
});

describe('a sign-out that the backend could not do', () => {
  for (const [status, begin] of [
    ['checking', ({ api }) => api.on(SESSION, () => new Promise(() => {}))],
    ['waiting', () => {}],
  ] as [string, (world: ReturnType<typeof createBackEndWorld>) => void][]) {
    it(`while ${status} ends as its failure, and can be tried again`, async () => {
      const world = createBackEndWorld({ clientId: clientId('stays') });
      begin(world);
      const session = world.start();
      if (status === 'waiting') {
        await until('signed out', () => session.snapshot.status === 'signed-out');
        session.signIn();
      }
      await until(status, () => session.snapshot.status === status);
      world.api.on(LOGOUT, () => new TypeError('Failed to fetch'));
      await session.signOut();
      expect(session.snapshot.status).to.equal('failed');
      expect(session.snapshot.failure).to.include({ code: 'network', during: 'sign-out' });
      world.api.on(LOGOUT, () => new Response(null, { status: 204 }));
      await session.signOut();
      expect(session.snapshot.status).to.equal('signed-out');
    });
  }
});

describe('a tab without a session', () => {
  it('asks the backend after a failed attempt, because another tab may have signed in', async () => {
    const { api, start, body } = createBackEndWorld();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    api.on(EXCHANGE, () => new TypeError('Failed to fetch'));
    api.on(SESSION, () => Response.json(body()));
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    expect(api.log()).to.deep.equal([SESSION, EXCHANGE, SESSION]);
  });

  it('asks the backend when another tab signs out, because a sign-in may have replaced the session', async () => {
    const { api, start, body } = createBackEndWorld();
    api.on(SESSION, () => Response.json(body()));
    const [here, there] = [start(), start()];
    await until('signed in', () => here.snapshot.signedIn && there.snapshot.signedIn);
    const statuses: string[] = [];
    there.subscribe(({ status }) => statuses.push(status));
    await here.signOut();
    await until('signed in again', () => statuses.includes('signed-in'));
    expect(statuses).to.deep.equal(['signed-out', 'signed-in']);
  });

  for (const [outcome, signedOut] of [
    ['succeeds', new Response(null, { status: 204 })],
    ['fails', new TypeError('Failed to fetch')],
  ] as const) {
    it(`keeps a sign-in that began during its sign-out, which ${outcome} first`, async () => {
      const { api, start, body } = createBackEndWorld();
      const session = start();
      await until('signed out', () => session.snapshot.status === 'signed-out');
      const [signOut, exchange] = [heldAnswer(), heldAnswer()];
      api.on(LOGOUT, signOut.answer);
      api.on(EXCHANGE, exchange.answer);
      const signingOut = session.signOut();
      session.signIn();
      await until('exchanging', () => session.snapshot.status === 'exchanging');
      signOut.give(signedOut);
      await signingOut;
      api.on(SESSION, () => Response.json(body()));
      exchange.give(Response.json(body()));
      await until('signed in', () => session.snapshot.signedIn);
      expect(session.snapshot.failure).to.equal(undefined);
    });
  }

  it('keeps a sign-in that began during its sign-out, and is done first', async () => {
    const { api, start } = createBackEndWorld();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    const signOut = heldAnswer();
    api.on(LOGOUT, signOut.answer);
    const signingOut = session.signOut();
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    signOut.give(new Response(null, { status: 204 }));
    await signingOut;
    expect(session.snapshot.status).to.equal('signed-in');
  });
});

describe('an answer to a look at the session that comes late', () => {
  function withSlowLook() {
    const world = createBackEndWorld();
    const { answer, give } = heldAnswer();
    return { ...world, slow: () => world.api.on(SESSION, answer), give };
  }

  it('does not sign out a user who signed in meanwhile', async () => {
    const { api, start, slow, give, body } = withSlowLook();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    slow();
    const look = session.refresh();
    await until('asked', () => api.count(SESSION) === 2);
    api.on(SESSION, () => Response.json(body()));
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    give(Response.json({ signedIn: false }));
    await look;
    expect(session.snapshot.status).to.equal('signed-in');
  });

  it('does not restore a user who signed out in another tab meanwhile', async () => {
    const { api, start, slow, give, body } = withSlowLook();
    api.on(SESSION, () => Response.json(body()));
    const [here, there] = [start(), start()];
    await until('signed in', () => here.snapshot.signedIn && there.snapshot.signedIn);
    slow();
    const look = there.refresh();
    await here.signOut();
    await until('told', () => !there.snapshot.signedIn);
    give(Response.json(body()));
    await look;
    expect(there.snapshot.status).to.equal('signed-out');
  });

  it('does not sign in a user who signed out meanwhile', async () => {
    const { api, start, slow, give, body } = withSlowLook();
    api.on(SESSION, () => Response.json(body()));
    const session = start();
    await until('signed in', () => session.snapshot.signedIn);
    slow();
    const signOut = heldAnswer();
    api.on(LOGOUT, signOut.answer);
    const signingOut = session.signOut();
    const look = session.refresh();
    await settled();
    signOut.give(new Response(null, { status: 204 }));
    await signingOut;
    give(Response.json(body()));
    await look;
    await settled();
    expect(session.snapshot.status).to.equal('signed-out');
  });
});

describe('a subscriber that throws', () => {
  it('is reported, and keeps neither the others nor the session from what happened', async () => {
    const { session, api } = await signedIn();
    const told: string[] = [];
    const reported: unknown[] = [];
    const { reportError } = window;
    window.reportError = (error) => reported.push(error);
    try {
      session.subscribe(() => {
        throw new Error('A mistake of the page.');
      });
      session.subscribe(({ status }) => told.push(status));
      await session.refresh();
      expect(session.snapshot.failure).to.equal(undefined);
      await session.signOut();
    } finally {
      window.reportError = reportError;
    }
    expect(told).to.deep.equal(['signed-in', 'signed-out']);
    expect(reported).to.have.length(2);
    expect(api.count(SESSION)).to.equal(2);
  });
});

describe('a backend that does not answer', () => {
  it('at page load is a failed check, and a retry restores the session', async () => {
    const { start, api, body } = createBackEndWorld();
    api.on(SESSION, () => new TypeError('Failed to fetch'));
    const session = start();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure).to.include({ code: 'network', during: 'check' });
    api.on(SESSION, () => Response.json(body()));
    const retry = session.refresh();
    expect(session.snapshot.status).to.equal('checking');
    await retry;
    expect(session.snapshot.status).to.equal('signed-in');
  });

  it('is asked again when the connection is back', async () => {
    const { start, api, body, time } = createBackEndWorld();
    api.on(SESSION, () => new TypeError('Failed to fetch'));
    const session = start();
    await until('failed', () => session.snapshot.status === 'failed');
    api.on(SESSION, () => Response.json(body()));
    happens(window, 'online');
    await time.advance(0);
    await until('signed in', () => session.snapshot.signedIn);
  });

  for (const [what, answer, code] of [
    ['with a page', () => new Response('<!doctype html>'), 'misconfigured'],
    ['with null', () => Response.json(null), 'misconfigured'],
    ['with a session without a user', () => Response.json({ signedIn: true, expiresAt: 1 }), 'misconfigured'],
    ['with 503', () => Response.json({ error: 'service_unavailable' }, { status: 503 }), 'service_error'],
    ['with 404', () => new Response('', { status: 404 }), 'misconfigured'],
  ] as const) {
    it(`but ${what} is a failed check: ${code}`, async () => {
      const { start, api } = createBackEndWorld();
      api.on(SESSION, answer);
      const session = start();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure).to.include({ code, during: 'check' });
    });
  }

  for (const [error, status, code] of [
    ['invalid_grant', 400, 'code_expired'],
    ['invalid_request', 400, 'misconfigured'],
    ['forbidden', 403, 'misconfigured'],
    ['service_error', 502, 'service_error'],
  ] as const) {
    it(`but with ${status} ${error} at the exchange ends as ${code}`, async () => {
      const { start, api } = createBackEndWorld();
      api.on(EXCHANGE, () => Response.json({ error, message: 'Why.' }, { status }));
      const session = start();
      await until('signed out', () => session.snapshot.status === 'signed-out');
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure).to.include({ code, during: 'sign-in' });
    });
  }
});

describe('the address of a backend', () => {
  it('on another origin is refused before anything is sent there', async () => {
    const { start, api } = createBackEndWorld({ backend: 'https://evil.example/auth' });
    const session = start();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure?.code).to.equal('misconfigured');
    expect(session.snapshot.failure?.message).to.contain(location.origin);
    expect(api.log()).to.deep.equal([]);
  });

  it('that a base element makes one of another origin names that element, and may be a whole address', async () => {
    await withBaseOfAnotherSite(async () => {
      const { start } = createBackEndWorld();
      const session = start();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure?.message).to.contain(`got "/auth". ${BASE_HINT}`);
      const foreign = createBackEndWorld({ backend: 'https://evil.example/auth' }).start();
      await until('failed', () => foreign.snapshot.status === 'failed');
      expect(foreign.snapshot.failure?.message).to.match(/got "https:\/\/evil.example\/auth"\.$/);
      const whole = createBackEndWorld({ backend: `${location.origin}/auth` }).start();
      await until('signed out', () => whole.snapshot.status === 'signed-out');
    });
  });

  it('answers on a page that was opened with a password in its address, from which fetch may not inherit it', async () => {
    const { api, body, start } = createBackEndWorld();
    api.on(SESSION, () => Response.json(body()));
    const send = api.fetch;
    api.fetch = (input, init) => send(new Request(input, init).url, init);
    const base = document.createElement('base');
    base.href = location.href.replace('//', '//ada:password@');
    document.head.append(base);
    try {
      const session = start();
      await session.prepare();
      await session.refresh();
      await until('signed in', () => session.snapshot.signedIn);
      expect(await session.fetch('/auth/session')).to.have.property('status', 200);
    } finally {
      base.remove();
    }
  });

  it('may end with a slash', async () => {
    const { start, api } = createBackEndWorld({ backend: '/auth/' });
    start();
    await settled();
    expect(api.log()).to.deep.equal([SESSION]);
  });
});

it('a backend session that has ended elsewhere is noticed when the page is shown again, five seconds after the last look or later', async () => {
  const { session, api, time } = await signedIn();
  api.on(SESSION, () => Response.json({ signedIn: false }));
  const show = () => happens(document, 'visibilitychange');
  await time.advance(4_999);
  show();
  await settled();
  expect(api.count(SESSION)).to.equal(1);
  await time.advance(1);
  show();
  await until('signed out', () => session.snapshot.status === 'signed-out');
  expect(api.count(SESSION)).to.equal(2);
});

it('a membership bought in another tab is found when the page is shown again, past the kit’s cache', async () => {
  const { session, api, time, body } = await signedIn();
  const bought = { ...community, id: 'bought', isKnown: true, communityId: 'c1' };
  api.on(SESSION, () => Response.json({ ...body(), memberships: [bought] }));
  await time.advance(5000);
  happens(document, 'visibilitychange');
  await time.advance(0);
  await until('bought', () => session.snapshot.memberships?.[0]?.communityId === 'c1');
  const queries = api.seen.map(({ query }) => query.has('fresh'));
  expect(queries).to.deep.equal([false, true]);
});

it('a purchase in another tab is found at the end of the pause, although the page was shown two seconds after the last look', async () => {
  const { session, api, time, body } = await signedIn();
  await time.advance(2000);
  api.on(SESSION, () =>
    Response.json({ ...body(), memberships: [community, { ...community, id: 'bought' }] }),
  );
  happens(document, 'visibilitychange');
  await time.advance(2999);
  expect(api.count(SESSION)).to.equal(1);
  await time.advance(1);
  expect(session.snapshot.memberships).to.have.length(2);
  expect(api.count(SESSION)).to.equal(2);
});

/** Has the page come from the back-forward cache. */
const restore = () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

it('a sign-out by another page is noticed at once when this one comes from the back-forward cache', async () => {
  const { session, api, time } = await signedIn();
  await time.advance(100);
  api.on(SESSION, () => Response.json({ signedIn: false }));
  restore();
  await time.advance(0);
  expect(session.snapshot.status).to.equal('signed-out');
});

it('a sign-in by another page is noticed when this one comes from the back-forward cache, or is shown', async () => {
  for (const happen of [restore, () => happens(document, 'visibilitychange')]) {
    const { api, time, start, body } = createBackEndWorld();
    const session = start();
    await until('signed out', () => session.snapshot.status === 'signed-out');
    api.on(SESSION, () => Response.json(body()));
    await time.advance(5000);
    happen();
    await time.advance(0);
    expect(session.snapshot.status).to.equal('signed-in');
  }
});

it('a page that loads is looked up once: its first pageshow asks for nothing more', async () => {
  const { api, time } = await signedIn();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
  await time.advance(10_000);
  expect(api.count(SESSION)).to.equal(1);
});

it('a failed first look at the backend is repeated like every other, however often the page is shown', async () => {
  const { api, time, start, body } = createBackEndWorld();
  api.on(SESSION, () => new Response('', { status: 502 }));
  const session = start();
  await until('failed', () => session.snapshot.status === 'failed');
  for (let visit = 0; visit < 3; visit++) happens(document, 'visibilitychange');
  await time.advance(999);
  expect(api.count(SESSION)).to.equal(1);
  await time.advance(1);
  expect(api.count(SESSION)).to.equal(2);
  api.on(SESSION, () => Response.json(body()));
  await time.advance(2000);
  expect(session.snapshot.status).to.equal('signed-in');
});

for (const [what, backend, answer] of [
  ['another page of the site', '/shop/auth', () => new Response('<!doctype html><title>Shop</title>')],
  ['nothing', '/auth/', () => new Response('<pre>Cannot GET</pre>', { status: 404 })],
  ['something else', '/auth', () => Response.json({ signedIn: 'maybe' })],
] as const) {
  it(`a backend path with ${what} is misconfigured, and names the attribute and the path`, async () => {
    const { api, start } = createBackEndWorld({ backend });
    const path = `${backend.replace(/\/$/, '')}/session`;
    api.on(`GET ${path}`, answer);
    const session = start();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure?.code).to.equal('misconfigured');
    expect(session.snapshot.failure?.message).to.contain(
      `backend="${backend}": ${path} is not the Express kit.`,
    );
  });
}
