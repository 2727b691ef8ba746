import { expect } from 'chai';
import '../src/define.js';
import type { SessionSnapshot } from '../src/session/index.js';
import { loginStates } from '../src/testing/index.js';
import { community } from './support/fake-api.js';
import { createSignedInSession, createTestSession, disposeSessions } from './support/popup-session.js';
import { settled } from './support/settled.js';
import { createStubSession } from './support/stub-session.js';
import { until } from './support/until.js';

const PART = '<p id="part">The roast curve.</p>';
const part = () => document.querySelector('#part');

afterEach(() => {
  document.body.replaceChildren();
  disposeSessions();
});

async function show(answer: () => Promise<Response>, snapshot: SessionSnapshot = loginStates['signed in']) {
  const stub = createStubSession(snapshot, answer);
  const gate = document.createElement('latchkey-gate');
  gate.src = '/roast-log';
  gate.session = stub.session;
  document.body.append(gate);
  await gate.updateComplete;
  return { ...stub, gate };
}

describe('a gate with src', () => {
  it('stays closed until the server responds, then shows the content', async () => {
    let give = (_: Response) => {};
    const { gate, calls } = await show(
      () =>
        new Promise((resolve) => {
          give = resolve;
        }),
    );
    expect(gate.state).to.equal('loading');
    expect(part()).to.equal(null);
    give(new Response(PART));
    await until('open', () => gate.state === 'open');
    expect(part()?.checkVisibility()).to.equal(true);
    expect(calls).to.deep.equal(['fetch /roast-log']);
  });

  it('sends no request while no user is signed in', async () => {
    const { gate, calls } = await show(async () => new Response(PART), loginStates['signed out']);
    await settled();
    expect(gate.state).to.equal('signed-out');
    expect(calls).to.deep.equal([]);
  });

  for (const [status, state] of [
    [403, 'locked'],
    [401, 'error'],
    [404, 'error'],
    [500, 'error'],
    [503, 'error'],
  ] as const) {
    it(`is ${state} at ${status}, and shows nothing of the answer`, async () => {
      const { gate } = await show(async () => new Response(PART, { status }));
      await until(state, () => gate.state === state);
      expect(part()).to.equal(null);
    });
  }

  it('stays closed for a redirect, which would have led to a sign-in page', async () => {
    const { gate } = await show(() => fetch(`${location.origin}/packages/widget`, { redirect: 'manual' }));
    await until('settled', () => gate.state !== 'loading');
    expect(gate.state).to.equal('error');
  });

  it('stays closed without a connection, and tries again when asked to', async () => {
    let answer: () => Promise<Response> = () => Promise.reject(new TypeError('Failed to fetch'));
    const { gate } = await show(() => answer());
    await until('error', () => gate.state === 'error');
    answer = async () => new Response(PART);
    gate.shadowRoot?.querySelector('button')?.click();
    await until('open', () => gate.state === 'open');
  });

  it('asks again only once the session has been looked at, which may replace its token', async () => {
    const { gate, calls, session } = await show(async () => new Response('', { status: 500 }));
    await until('error', () => gate.state === 'error');
    let looked = () => {};
    session.refresh = () =>
      new Promise((resolve) => {
        looked = () => {
          calls.push('looked');
          resolve();
        };
      });
    gate.shadowRoot?.querySelector('button')?.click();
    await settled();
    looked();
    await until('asked', () => calls.length === 3);
    expect(calls).to.deep.equal(['fetch /roast-log', 'looked', 'fetch /roast-log']);
  });

  it('keeps the visitor’s place when the part that had the focus is taken away', async () => {
    const { gate, become } = await show(async () => new Response('<button id="part">Brew</button>'));
    await until('open', () => part());
    document.querySelector<HTMLElement>('#part')?.focus();
    become(loginStates['signed out']);
    await gate.updateComplete;
    expect(document.activeElement?.localName).to.equal('latchkey-gate');
  });

  it('refreshes the session if the server does not know the user', async () => {
    const { calls } = await show(async () => new Response('', { status: 401 }));
    await until('looked', () => calls.includes('refresh'));
  });

  it('sends no request after it left the page', async () => {
    const { gate, calls } = await show(async () => new Response('', { status: 403 }));
    await until('locked', () => gate.state === 'locked');
    gate.remove();
    gate.src = '/another-log';
    await gate.updateComplete;
    await settled();
    expect(calls).to.deep.equal(['fetch /roast-log']);
  });

  it('removes the content from the page at sign-out', async () => {
    const { gate, become } = await show(async () => new Response(PART));
    await until('open', () => part());
    become(loginStates['signed out']);
    await gate.updateComplete;
    expect(part()).to.equal(null);
    expect(gate.state).to.equal('signed-out');
  });

  it('requests the content again after a change of the memberships or the user, and hides it meanwhile', async () => {
    let status = 200;
    const { gate, become, calls } = await show(async () => new Response(PART, { status }));
    await until('open', () => part());
    status = 403;
    become({ ...loginStates['signed in'], memberships: [] });
    await gate.updateComplete;
    expect(part()).to.equal(null);
    await until('locked', () => gate.state === 'locked');
    expect(calls).to.have.length(2);
  });

  it('ignores a response for a user who signed out meanwhile', async () => {
    let give = (_: Response) => {};
    const { gate, become } = await show(
      () =>
        new Promise((resolve) => {
          give = resolve;
        }),
    );
    become(loginStates['signed out']);
    await gate.updateComplete;
    give(new Response(PART));
    await settled();
    expect(part()).to.equal(null);
    expect(gate.state).to.equal('signed-out');
  });

  it('checks its own conditions first, and sends a request only if they are met', async () => {
    const { gate, calls } = await show(async () => new Response(PART));
    gate.productType = 'agency';
    gate.reload();
    await until('locked', () => gate.state === 'locked');
    expect(part()).to.equal(null);
    expect(calls.length).to.be.at.most(2);
  });

  it('runs no script that comes with the part', async () => {
    Object.assign(window, { ran: false });
    const { gate } = await show(async () => new Response(`${PART}<script>window.ran = true</script>`));
    await until('open', () => gate.state === 'open' && part());
    await settled();
    expect((window as { ran?: boolean }).ran).to.equal(false);
  });
});

describe('a request as the signed-in user', () => {
  it('carries the access token to this site', async () => {
    const { session, api } = await createSignedInSession();
    api.on('GET /roast-log', () => new Response(PART));
    expect(await (await session.fetch('/roast-log')).text()).to.equal(PART);
    const asked = api.seen.find(({ path }) => path === '/roast-log');
    expect(asked?.headers.authorization).to.equal('Bearer access-1');
  });

  for (const address of [
    'https://evil.example/part',
    '//evil.example/part',
    'http://127.0.0.1:1/',
    'data:text/html,hi',
  ]) {
    it(`is refused for ${address}: no other site may see the token`, async () => {
      const { session, api } = await createSignedInSession();
      const before = api.seen.length;
      const error = await session.fetch(address).then(
        () => undefined,
        (cause) => cause,
      );
      expect(error?.code).to.equal('invalid_configuration');
      expect(api.seen.length).to.equal(before);
    });
  }

  it('is rejected while no user is signed in', async () => {
    const { session, api } = createTestSession();
    const error = await session.fetch('/roast-log').then(
      () => undefined,
      (cause) => cause,
    );
    expect(error?.code).to.equal('invalid_token');
    expect(api.log()).to.deep.equal([]);
  });

  it('goes by the cookie alone with a backend', async () => {
    const { session, api } = createTestSession({ backend: '/auth' });
    api.on('GET /auth/session', () =>
      Response.json({
        signedIn: true,
        user: { sub: 's', email: null },
        memberships: [community],
        expiresAt: Date.UTC(2030, 1, 1),
      }),
    );
    api.on('GET /roast-log', () => new Response(PART));
    await session.fetch('/roast-log');
    const asked = api.seen.find(({ path }) => path === '/roast-log');
    expect(asked?.headers).not.to.have.property('authorization');
  });
});
