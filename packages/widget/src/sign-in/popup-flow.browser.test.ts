import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { closePopup } from '../../test/support/close-popup.js';
import { createTestSession, disposeSessions, SERVICE } from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { until } from '../../test/support/until.js';
import type { LoginSessionOptions, LoginStatus } from '../session/index.js';
import { RESPONSE_TYPE } from './popup.js';

const TOKEN = 'POST /oauth/token';
const windowOpen = window.open;

/** Every window that was opened, with the address it was opened at. */
let opened: { url: string; name: string; features: string; popup: Window | null }[] = [];

beforeEach(() => {
  opened = [];
  window.open = (url, name, features) => {
    const popup = windowOpen.call(window, url, name, features);
    opened.push({ url: String(url), name: String(name), features: String(features), popup });
    return popup;
  };
});

afterEach(() => {
  disposeSessions();
  window.open = windowOpen;
  localStorage.clear();
});

function stateOf(url: string): string {
  return new URL(url).searchParams.get('state') ?? '';
}

/** A message as it would arrive. */
function arrive(init: MessageEventInit): void {
  dispatchEvent(new MessageEvent('message', init));
}

describe('a click', () => {
  it('opens the popup at the service at once, with everything the service asks for [authorize.challenge-derivation]', async () => {
    const { session } = createTestSession();
    await session.prepare();
    session.signIn();
    expect(opened).to.have.length(1);
    const url = new URL(opened[0]?.url ?? '');
    expect(url.origin + url.pathname).to.equal(`${SERVICE}/oauth/authorize`);
    const { state, code_challenge: challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).to.deep.equal({
      response_type: 'code',
      client_id: clientId('good'),
      redirect_uri: `${SERVICE}/widget/callback/${clientId('good')}`,
      scope: 'memberships.read',
      code_challenge_method: 'S256',
    });
    expect(challenge).to.match(/^[\w-]{43}$/);
    expect(JSON.parse(atob((state ?? '').replaceAll('-', '+').replaceAll('_', '/')))).to.have.property(
      'o',
      location.origin,
    );
  });

  it('before the secrets are ready opens an empty popup and navigates it later', async () => {
    const { session } = createTestSession();
    session.signIn();
    expect(opened.map(({ url }) => url)).to.deep.equal(['about:blank']);
    expect(session.snapshot.status).to.equal('opening');
    await until('signed in', () => session.snapshot.signedIn);
  });

  it('gives every popup a unique name and the size of a popup', async () => {
    const { session } = createTestSession({ clientId: clientId('stays') });
    for (let attempt = 0; attempt < 2; attempt++) {
      await session.prepare();
      session.signIn();
      session.cancel();
    }
    const [first, second] = opened;
    expect(first?.name).to.match(/^latchkey-(\d+,){7}\d+$/);
    expect(first?.name).not.to.equal(second?.name);
    expect(first?.features).to.match(/^popup,width=480,height=640,left=\d+,top=\d+$/);
  });

  it('never uses a state or a challenge twice', async () => {
    const { session } = createTestSession({ clientId: clientId('stays') });
    for (let attempt = 0; attempt < 3; attempt++) {
      await session.prepare();
      session.signIn();
      session.cancel();
    }
    const urls = opened.map(({ url }) => new URL(url).searchParams);
    expect(new Set(urls.map((query) => query.get('state'))).size).to.equal(3);
    expect(new Set(urls.map((query) => query.get('code_challenge'))).size).to.equal(3);
  });

  it('while a popup is open brings it forward instead of opening another', async () => {
    const { session } = createTestSession({ clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    session.signIn();
    session.signIn();
    expect(opened).to.have.length(1);
    expect(session.snapshot.status).to.equal('waiting');
  });

  it('when signed in does nothing', async () => {
    const { session } = createTestSession();
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    session.signIn();
    expect(opened).to.have.length(1);
  });
});

describe('a sign-in', () => {
  it('goes through its states in order and closes its popup', async () => {
    const { session } = createTestSession();
    const seen: LoginStatus[] = [];
    session.subscribe(({ status }) => seen.push(status));
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
    expect(seen).to.deep.equal(['opening', 'waiting', 'exchanging', 'signed-in']);
    await until('closed', () => opened[0]?.popup?.closed);
  });

  it('that is declined fails with access_denied [authorize.declined]', async () => {
    const { session, api } = createTestSession({ clientId: clientId('declines') });
    session.signIn();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure).to.include({ code: 'access_denied', during: 'sign-in' });
    expect(api.log()).to.deep.equal([]);
  });

  it('that the browser blocks fails, and the next click uses the prepared secrets', async () => {
    const { session } = createTestSession();
    await session.prepare();
    window.open = () => null;
    session.signIn();
    await until('blocked', () => session.snapshot.failure?.code === 'popup_blocked');
    window.open = windowOpen;
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
  });

  it('that an extension blocks by throwing is blocked too', async () => {
    const { session } = createTestSession();
    await session.prepare();
    window.open = () => {
      throw new TypeError('blocked by an extension');
    };
    session.signIn();
    await until('blocked', () => session.snapshot.failure?.code === 'popup_blocked');
  });

  it('that is blocked by a browser that hands out a closed window is blocked too', async () => {
    const { session } = createTestSession();
    await session.prepare();
    const closed = windowOpen.call(window, 'about:blank');
    closed?.close();
    await until('closed', () => closed?.closed);
    window.open = () => closed;
    session.signIn();
    await until('blocked', () => session.snapshot.failure?.code === 'popup_blocked');
  });

  for (const [what, answer, code, sent = 1] of [
    ['runs out', () => Response.json({ error: 'invalid_grant' }, { status: 400 }), 'code_expired'],
    // Once more, because not one byte of an answer arrived.
    ['finds no connection', () => new TypeError('Failed to fetch'), 'network', 2],
    ['finds a broken service', () => new Response('', { status: 500 }), 'service_error'],
    [
      'finds an unknown client',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      'misconfigured',
    ],
    ['cannot read the answer', () => new Response('<!doctype html>'), 'service_error'],
  ] as const) {
    it(`that ${what} at the exchange ends as ${code}, and the code is sent ${sent === 1 ? 'once' : 'twice'}`, async () => {
      const { session, api } = createTestSession();
      api.on(TOKEN, answer);
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure).to.include({ code, during: 'sign-in' });
      expect(session.snapshot.failure?.message).not.to.contain('the-code');
      expect(api.seen.filter(({ form }) => form.has('code'))).to.have.length(sent);
    });
  }

  it('fails when the user cannot be read, and keeps nothing', async () => {
    const { session, api, time } = createTestSession();
    api.on('GET /oauth/userinfo', () => new TypeError('Failed to fetch'));
    session.signIn();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure?.code).to.equal('network');
    await time.advance(120 * 60_000);
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('with a wrong setting fails before any click and names the setting', async () => {
    for (const options of [{ serviceUrl: 'http://service.example' }, { clientId: 'not a client' }]) {
      const { session } = createTestSession(options);
      await session.prepare();
      expect(session.snapshot.failure?.code).to.equal('misconfigured');
      expect(session.snapshot.failure?.message).to.match(/serviceUrl|clientId/);
    }
  });
});

describe('a popup that seems closed', () => {
  it('is reported at the second check, and a new attempt can start', async () => {
    const { session, time } = createTestSession({ clientId: clientId('stays') });
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    await closePopup(opened[0]?.popup);
    await time.advance(400);
    expect(session.snapshot.status).to.equal('waiting');
    await time.advance(400);
    expect(session.snapshot.failure?.code).to.equal('popup_closed');
    session.signIn();
    expect(opened).to.have.length(2);
  });

  it('may still return its response: a late success counts', async () => {
    const { session, time } = createTestSession({ clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    const { popup, url } = opened[0] ?? {};
    await closePopup(popup);
    await time.advance(800);
    expect(session.snapshot.status).to.equal('failed');
    arrive({
      origin: SERVICE,
      source: popup ?? null,
      data: { type: RESPONSE_TYPE, code: 'the-code', state: stateOf(url ?? '') },
    });
    await until('signed in', () => session.snapshot.signedIn);
  });

  it('no longer counts once the visitor has signed in in another tab', async () => {
    const settings = { clientId: clientId('stays'), storage: 'local' } as const;
    const answer = (of: (typeof opened)[number] | undefined) =>
      arrive({
        origin: SERVICE,
        source: of?.popup ?? null,
        data: { type: RESPONSE_TYPE, code: 'the-code', state: stateOf(of?.url ?? '') },
      });
    const { session, api, time } = createTestSession(settings);
    const other = createTestSession(settings);
    await Promise.all([session.prepare(), other.session.prepare()]);
    session.signIn();
    other.session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    await closePopup(opened[0]?.popup);
    await time.advance(800);
    expect(session.snapshot.failure?.code).to.equal('popup_closed');
    await until('waiting', () => other.session.snapshot.status === 'waiting');
    answer(opened[1]);
    await until('told', () => session.snapshot.signedIn);
    const told = session.snapshot;
    answer(opened[0]);
    await settled();
    expect(api.log()).to.deep.equal([]);
    expect(session.snapshot).to.equal(told);
  });

  it('no longer counts once a new attempt has started', async () => {
    const { session, api, time } = createTestSession({ clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    const { popup, url } = opened[0] ?? {};
    await closePopup(popup);
    await time.advance(800);
    await session.prepare();
    session.signIn();
    await until('waiting again', () => session.snapshot.status === 'waiting');
    arrive({
      origin: SERVICE,
      source: popup ?? null,
      data: { type: RESPONSE_TYPE, code: 'the-code', state: stateOf(url ?? '') },
    });
    await settled();
    expect(session.snapshot.status).to.equal('waiting');
    expect(api.log()).to.deep.equal([]);
  });
});

describe('a message', () => {
  async function waitingSession() {
    const world = createTestSession({ clientId: clientId('stays') });
    await world.session.prepare();
    world.session.signIn();
    await until('waiting', () => world.session.snapshot.status === 'waiting');
    const { popup, url } = opened[0] ?? {};
    const state = stateOf(url ?? '');
    const genuine = {
      origin: SERVICE,
      source: popup ?? null,
      data: { type: RESPONSE_TYPE, code: 'the-code', state },
    };
    return { ...world, genuine };
  }

  for (const [what, forge] of [
    ['from another origin', (genuine) => ({ ...genuine, origin: 'https://evil.example' })],
    ['from this page’s own origin', (genuine) => ({ ...genuine, origin: location.origin })],
    ['from another window', (genuine) => ({ ...genuine, source: window })],
    ['from no window', (genuine) => ({ ...genuine, source: null })],
    ['without state', (genuine) => ({ ...genuine, data: { type: RESPONSE_TYPE, code: 'the-code' } })],
    ['of another type', (genuine) => ({ ...genuine, data: { ...genuine.data, type: 'other' } })],
    ['that is null', (genuine) => ({ ...genuine, data: null })],
    ['that is a string', (genuine) => ({ ...genuine, data: RESPONSE_TYPE })],
  ] as [string, (genuine: MessageEventInit & { data: object }) => MessageEventInit][]) {
    it(`${what} is passed over`, async () => {
      const { session, api, genuine } = await waitingSession();
      arrive(forge(genuine));
      await settled();
      expect(session.snapshot.status).to.equal('waiting');
      expect(api.log()).to.deep.equal([]);
      arrive(genuine);
      await until('signed in', () => session.snapshot.signedIn);
    });
  }

  it('with a state that this attempt did not send ends it, and its code goes nowhere [authorize.state-verified]', async () => {
    const { session, api, genuine } = await waitingSession();
    arrive({ ...genuine, data: { ...genuine.data, state: `${genuine.data.state}A` } });
    await until('failed', () => session.snapshot.failure?.code === 'state_mismatch');
    arrive(genuine);
    await settled();
    expect(session.snapshot.status).to.equal('failed');
    expect(api.log()).to.deep.equal([]);
  });

  it('that comes twice is taken once', async () => {
    const { session, api, genuine } = await waitingSession();
    arrive(genuine);
    arrive(genuine);
    await until('signed in', () => session.snapshot.signedIn);
    expect(api.count(TOKEN)).to.equal(1);
  });

  it('with neither code nor error ends the attempt as a failure of the service', async () => {
    const { session, genuine } = await waitingSession();
    arrive({ ...genuine, data: { type: RESPONSE_TYPE, state: genuine.data.state, code: 7 } });
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure?.code).to.equal('service_error');
  });
});

describe('Cancel', () => {
  it('closes the popup and ends the attempt', async () => {
    const { session } = createTestSession({ clientId: clientId('stays') });
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    session.cancel();
    expect(session.snapshot.status).to.equal('signed-out');
    await until('closed', () => opened[0]?.popup?.closed);
  });

  it('during the exchange drops what the exchange brings', async () => {
    const { session, api } = createTestSession();
    api.on(TOKEN, () => new Promise(() => {}));
    session.signIn();
    await until('exchanging', () => session.snapshot.status === 'exchanging');
    session.cancel();
    await settled();
    expect(session.snapshot).to.deep.equal({ status: 'signed-out', signedIn: false });
  });

  it('puts a failure that was read out of the way', async () => {
    const { session } = createTestSession({ clientId: clientId('declines') });
    session.signIn();
    await until('failed', () => session.snapshot.status === 'failed');
    session.cancel();
    expect(session.snapshot.status).to.equal('signed-out');
  });
});

describe('a popup that does not answer', () => {
  const SILENCE = 8000;
  const { error, info } = console;
  let logged: string[] = [];
  beforeEach(() => {
    logged = [];
    console.error = (text: string) => logged.push(`error ${text}`);
    console.info = (text: string) => logged.push(`info ${text}`);
  });
  afterEach(() => Object.assign(console, { error, info }));

  const id = clientId('stays');
  const IDENTITY = `GET /oauth/client/${id}`;
  async function waitingSession(options: Partial<LoginSessionOptions> = {}) {
    const world = createTestSession({ clientId: id, ...options });
    world.api.on('GET /auth/session', () => Response.json({ signedIn: false }));
    await settled();
    await world.session.prepare();
    world.session.signIn();
    await until('waiting', () => world.session.snapshot.status === 'waiting');
    return world;
  }
  const identity = () => Response.json({ success: true, data: { clientId: id, name: 'Shop' } });

  it('is asked about after some seconds only: an unknown client is misconfigured, with its id', async () => {
    const { session, api, time } = await waitingSession();
    api.on(IDENTITY, () => Response.json({ success: false, errorCode: 'not_found' }, { status: 404 }));
    await time.advance(SILENCE - 1);
    expect(api.log()).to.deep.equal([]);
    await time.advance(1);
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure).to.include({ code: 'misconfigured', during: 'sign-in' });
    expect(session.snapshot.failure?.message).to.contain(id);
    expect(logged.join()).to.contain(id);
    expect(api.log()).to.deep.equal([IDENTITY]);
    // The specification leaves this parameter to the callback page.
    expect(api.seen[0]?.query.has('widget_origin')).to.equal(false);
    await until('closed', () => opened[0]?.popup?.closed);
  });

  for (const [what, answer, asked = [IDENTITY]] of [
    ['a client that the service knows', identity],
    ['no connection', () => new TypeError('Failed to fetch'), [IDENTITY, IDENTITY]],
    ['an error', () => new Response('', { status: 503 }), [IDENTITY, IDENTITY]],
    ['a service without the endpoint', () => new Response('Not found', { status: 404 })],
    ['missing fields', () => Response.json({ data: {} })],
    ['another client', () => Response.json({ success: true, data: { clientId: 'x', name: 'x' } })],
  ] as const) {
    it(`is waited for after ${what}, and the console names the redirect URI`, async () => {
      const { session, api, time } = await waitingSession();
      api.on(IDENTITY, answer);
      await time.advance(SILENCE);
      await until('hinted', () => logged.length > 0);
      expect(session.snapshot.status).to.equal('waiting');
      expect(logged).to.have.length(1);
      expect(logged[0])
        .to.match(/^info /)
        .and.to.contain(`${SERVICE}/widget/callback/${id}`);
      await time.advance(60_000);
      expect(api.log()).to.deep.equal(asked);
    });
  }

  it('with a page of the site as callback is asked about in the same way', async () => {
    const { session, api, time } = await waitingSession({ callbackUrl: '/callback' });
    api.on(IDENTITY, identity);
    await time.advance(SILENCE);
    await until('hinted', () => logged.length > 0);
    expect(api.seen[0]?.query.has('widget_origin')).to.equal(false);
    expect(session.snapshot.status).to.equal('waiting');
  });

  it('with a backend causes no request to the service, which the policy of the page may forbid', async () => {
    const { session, api, time } = await waitingSession({ backend: '/auth' });
    await time.advance(SILENCE);
    await until('hinted', () => logged.length > 0);
    expect(api.log()).to.deep.equal(['GET /auth/session']);
    expect(session.snapshot.status).to.equal('waiting');
  });

  it('and was cancelled is not asked about', async () => {
    const { session, api, time } = await waitingSession();
    session.cancel();
    await time.advance(SILENCE);
    expect(api.log()).to.deep.equal([]);
    expect(logged).to.deep.equal([]);
  });
});

for (const callbackUrl of ['https://elsewhere.example/callback', '/callback#part']) {
  it(`callback-url "${callbackUrl}" is misconfigured before a popup opens, because its page could post no response`, async () => {
    const { session } = createTestSession({ callbackUrl });
    await session.prepare();
    session.signIn();
    await until('failed', () => session.snapshot.status === 'failed');
    expect(session.snapshot.failure?.code).to.equal('misconfigured');
    expect(session.snapshot.failure?.message).to.contain(
      `callback-url: must be a page of ${location.origin}`,
    );
    expect(opened).to.deep.equal([]);
  });
}

it('the popup is closed when its response arrives, before the code is redeemed', async () => {
  const { session, api } = createTestSession();
  api.on(TOKEN, () => new Promise(() => {}));
  await session.prepare();
  session.signIn();
  await until('exchanging', () => session.snapshot.status === 'exchanging');
  await until('closed', () => opened[0]?.popup?.closed);
});

for (const id of [
  '',
  'oac_',
  'oac_stays',
  `${clientId('good')}0`,
  clientId('good').slice(1),
  'a1b2c3d4e5f60718293a4b5c',
]) {
  it(`the client id "${id}" is misconfigured before a popup opens, and the message names it`, async () => {
    const { session, api } = createTestSession({ clientId: id });
    await session.prepare();
    expect(session.snapshot.failure).to.include({ code: 'misconfigured' });
    expect(session.snapshot.failure?.message).to.contain(`got "${id}"`);
    expect([opened, api.log()]).to.deep.equal([[], []]);
  });
}
