import { encodeWidgetState } from '@latchkey/oauth';
import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { createFakeApi } from '../../test/support/fake-api.js';
import { createFakeTime } from '../../test/support/fake-time.js';
import { createTestSession, disposeSessions, SERVICE, track } from '../../test/support/popup-session.js';
import { until } from '../../test/support/until.js';
import type { LatchkeyLogin } from '../index.js';
import { createLoginSession, type LoginSessionOptions } from '../session/index.js';
import { RESPONSE_TYPE } from './popup.js';

/** A service that serves nothing of the widget, and one whose responses pages can't read. */
const LIVE = location.origin.replace('localhost', 'live.localhost');
const NO_CORS = location.origin.replace('localhost', 'no-cors.localhost');
const CALLBACK = `${location.origin}/latchkey/callback.html`;

const { error, info } = console;
const { open, fetch: send } = window;
let logged: string[] = [];
let requested: string[] = [];
let popups: (Window | null)[] = [];
let frame: HTMLIFrameElement | undefined;

beforeEach(() => {
  [logged, requested, popups] = [[], [], []];
  console.error = (text: string) => logged.push(text);
  console.info = (text: string) => logged.push(text);
  window.open = (...parts) => {
    const popup = open.apply(window, parts);
    popups.push(popup);
    return popup;
  };
});

afterEach(() => {
  Object.assign(console, { error, info });
  window.open = open;
  window.fetch = send;
  for (const popup of popups) popup?.close();
  frame?.remove();
  disposeSessions();
  sessionStorage.clear();
});

/** A session whose requests really go to the service. */
function foreignSession(options: Partial<LoginSessionOptions> = {}) {
  const time = createFakeTime();
  const session = track(
    createLoginSession({
      clientId: clientId('good'),
      serviceUrl: LIVE,
      clock: time.clock,
      timers: time.timers,
      fetch: (input, init) => {
        requested.push(
          `${init?.mode ?? 'cors'} ${init?.method ?? 'GET'} ${new URL(`${input}`, location.href).pathname}`,
        );
        return send(input, init);
      },
      ...options,
    }),
  );
  return { session, time };
}

async function failureOf({ session }: ReturnType<typeof foreignSession>) {
  await until('failed', () => session.snapshot.status === 'failed');
  return session.snapshot.failure;
}

describe('on a service that serves nothing of the widget', () => {
  it('the popup ends on the site’s own callback page, and the session signs in [assumes token-cors]', async () => {
    const { session } = foreignSession();
    await session.prepare();
    session.signIn();
    await until('signed in', () => {
      if (session.snapshot.failure) throw new Error(session.snapshot.failure.message);
      return session.snapshot.signedIn;
    });
    await until('closed', () => popups[0]?.closed);
    expect(requested.filter((line) => /widget|client/.test(line))).to.deep.equal([]);
  });

  it('a service whose header severs the popup still answers through the site’s callback page [assumes token-cors]', async () => {
    const { session } = foreignSession({ clientId: clientId('isolated') });
    await session.prepare();
    session.signIn();
    await until('signed in', () => session.snapshot.signedIn);
  });

  for (const [what, callbackUrl] of [
    ['is missing', '/missing/callback.html'],
    ['is another page, such as the index.html of an app', '/site/page'],
  ] as const) {
    it(`a callback page that ${what} is misconfigured, and the console names the setting and the files`, async () => {
      const world = foreignSession({ callbackUrl });
      const { session, time } = world;
      await session.prepare();
      session.signIn();
      await until('waiting', () => session.snapshot.status === 'waiting');
      const popup = popups[0] as Window;
      await until('back', () => {
        try {
          return popup.location.href.includes('state=') && popup.document.readyState === 'complete';
        } catch {
          return false;
        }
      });
      await time.advance(400 * 12);
      expect(await failureOf(world)).to.include({ code: 'misconfigured', during: 'sign-in' });
      expect(logged.join()).to.contain(`${location.origin}${callbackUrl}`);
      expect(logged.join()).to.contain('callback.html').and.to.contain('callback-url');
      await until('closed', () => popup.closed);
    });
  }

  it('a redirect URI that is not registered leaves the popup at the service, and the console names it', async () => {
    const { session, time } = foreignSession({ clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    await time.advance(8000);
    await until('hinted', () => logged.length > 0);
    expect(logged.join()).to.contain(`If the window shows an error, add ${CALLBACK} to the redirect URIs`);
    expect(session.snapshot.status).to.equal('waiting');
  });
});

describe('a site that serves the script, the callback and the page', () => {
  async function openSite(attributes: string, width = '600'): Promise<LatchkeyLogin> {
    frame = document.createElement('iframe');
    frame.width = width;
    frame.src = `/site/page?attributes=${encodeURIComponent(attributes)}`;
    document.body.append(frame);
    return await loginThat('is ready', (login) => login.session !== undefined);
  }

  async function loginThat(what: string, holds: (login: LatchkeyLogin) => boolean): Promise<LatchkeyLogin> {
    return await until(what, () => {
      const login = frame?.contentDocument?.querySelector('latchkey-login');
      return login?.updateComplete && holds(login) ? login : undefined;
    });
  }

  it('signs in by popup [assumes token-cors]', async () => {
    const login = await openSite(`client-id="${clientId('good')}" service-url="${LIVE}"`);
    login.signIn();
    await until('signed in', () => login.snapshot?.signedIn);
  });

  it('keeps its panel inside a window of 220 pixels', async () => {
    const login = await openSite(`client-id="${clientId('stays')}" service-url="${LIVE}"`, '220');
    login.signIn();
    await until('waiting', () => login.snapshot?.status === 'waiting');
    await login.updateComplete;
    const panel = login.shadowRoot?.querySelector('[part=panel]') as Element;
    const { left, right } = panel.getBoundingClientRect();
    expect([left, right]).to.deep.equal([8, 212]);
    login.session?.cancel();
  });

  it('signs in by redirect and returns to the page [assumes token-cors]', async () => {
    const attributes = `client-id="${clientId('good')}" service-url="${LIVE}" mode="redirect"`;
    const login = await openSite(
      `${attributes} return-url="/site/page?attributes=${encodeURIComponent(attributes)}"`,
    );
    login.signIn();
    const back = await loginThat('is back', (one) => one !== login && one.snapshot?.signedIn === true);
    expect(back.ownerDocument.location.search).not.to.match(/[?&](code|state)=/);
  });
});

describe('a service without CORS headers', () => {
  it('is told apart from a lost connection: misconfigured, and the console names backend', async () => {
    const world = foreignSession({ serviceUrl: NO_CORS });
    await world.session.prepare();
    world.session.signIn();
    expect(await failureOf(world)).to.include({ code: 'misconfigured', during: 'sign-in' });
    expect(logged.join()).to.contain('CORS').and.to.contain('backend').and.to.contain(NO_CORS);
    expect(requested).to.deep.equal([
      'cors POST /oauth/token',
      'no-cors POST /oauth/token',
      'cors POST /oauth/token',
    ]);
  });

  it('receives neither the code nor, at another address, the token again', async () => {
    const probes: (RequestInit | undefined)[] = [];
    const { session } = foreignSession({
      fetch: (input, init) => {
        const isUnreadable = `${input}`.endsWith('/oauth/userinfo') && init?.mode !== 'no-cors';
        if (init?.mode || isUnreadable) probes.push(init);
        return isUnreadable ? Promise.reject(new TypeError('Failed to fetch')) : answered(input, init);
      },
    });
    // Whatever the service answers to pages of other origins.
    const { fetch: answered } = createFakeApi();
    await session.prepare();
    session.signIn();
    await until('failed', () => session.snapshot.failure?.code === 'misconfigured');
    expect(probes.map((init) => [init?.mode ?? 'cors', init?.redirect, init?.body ?? null])).to.deep.equal([
      ['cors', 'manual', null],
      ['no-cors', 'follow', null],
      ['cors', 'manual', null],
    ]);
    expect(probes.every((init) => init?.credentials === 'omit')).to.equal(true);
  });

  it('that can’t be reached is a failure of the network', async () => {
    const world = foreignSession({
      fetch: async (input) => {
        requested.push(`${input}`);
        throw new TypeError('Failed to fetch');
      },
    });
    await world.session.prepare();
    world.session.signIn();
    expect((await failureOf(world))?.code).to.equal('network');
    // The code is sent once more, because nothing of a response arrived. Each time, the address is tried without it.
    expect(requested).to.have.length(4);
  });

  it('a connection that broke once is used again: nothing of a response arrived [assumes token-cors]', async () => {
    const world = foreignSession({
      fetch: (input, init) => {
        requested.push(`${input}`);
        return requested.length === 1 ? Promise.reject(new TypeError('Failed to fetch')) : send(input, init);
      },
    });
    await world.session.prepare();
    world.session.signIn();
    await until('signed in', () => world.session.snapshot.signedIn);
  });

  it('receives no request from a page with a backend', async () => {
    const { session, time } = foreignSession({ serviceUrl: NO_CORS, backend: '/auth' });
    await until('checked', () => session.snapshot.status !== 'checking');
    await session.prepare();
    session.signIn();
    await until(
      'failed',
      () => session.snapshot.status === 'failed' && session.snapshot.failure?.during === 'sign-in',
    );
    await time.advance(60_000);
    expect(new Set(requested)).to.deep.equal(new Set(['cors GET /auth/session', 'cors POST /auth/exchange']));
  });

  it('does not end an attempt while the client’s identity is unreadable', async () => {
    const { session, time } = foreignSession({ serviceUrl: NO_CORS, clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    await time.advance(8000);
    await until('hinted', () => logged.length > 0);
    expect(session.snapshot.status).to.equal('waiting');
  });
});

describe('an attacker who opens the callback page of a site', () => {
  const attacker = SERVICE;
  const state = (origin: string) => encodeWidgetState({ nonce: 'n', origin });
  const textOf = (page: Document | null | undefined) => page?.getElementById('callback-title')?.textContent;

  it('in a frame receives nothing', async () => {
    const received: unknown[] = [];
    const keep = ({ data }: MessageEvent) => received.push(data);
    addEventListener('message', keep);
    frame = document.createElement('iframe');
    frame.src = `${CALLBACK}?${new URLSearchParams({ code: 'c', state: state(location.origin) })}`;
    document.body.append(frame);
    await until('explained', () => textOf(frame?.contentDocument) === 'This page must not be framed');
    removeEventListener('message', keep);
    expect(received.filter((data) => Object(data).type === RESPONSE_TYPE)).to.deep.equal([]);
  });

  it('from another origin and names that origin is refused', async () => {
    const popup = window.open(`${CALLBACK}?${new URLSearchParams({ code: 'c', state: state(attacker) })}`);
    await until('explained', () => textOf(popup?.document) === 'This site may not receive your sign-in');
  });

  it('with a code of their own signs nobody in: only the page that sent the state accepts a response', async () => {
    const { session } = createTestSession({ clientId: clientId('stays'), callbackUrl: CALLBACK });
    await session.prepare();
    session.signIn();
    await until('waiting', () => session.snapshot.status === 'waiting');
    const channel = new BroadcastChannel(RESPONSE_TYPE);
    const broadcast = new Promise((resolve) => (channel.onmessage = resolve));
    // A window without an opener, as a link of another site opens one.
    const query = new URLSearchParams({ code: 'forged', state: state(location.origin) });
    window.open(`${CALLBACK}?${query}`, '', 'noopener');
    await broadcast;
    channel.close();
    expect(session.snapshot.status).to.equal('waiting');
  });
});
