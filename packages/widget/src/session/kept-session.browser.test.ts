import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { ada, community, expectAda, idsOf } from '../../test/support/fake-api.js';
import { happens } from '../../test/support/happens.js';
import {
  createSignedInSession,
  createTestSession,
  disposeSessions,
  SERVICE,
  track,
} from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { until } from '../../test/support/until.js';
import { createLoginSession, type LoginSessionOptions } from './index.js';

const MINUTE = 60_000;
const TOKEN = 'POST /oauth/token';
const NAME = `latchkey:${clientId('good')}@${SERVICE}`;

type World = Awaited<ReturnType<typeof createSignedInSession>>;

/** Another page of the same site, with the same clock and the same service. */
function openAnother({ api, time }: World, options: Partial<LoginSessionOptions> = {}) {
  return track(
    createLoginSession({
      clientId: clientId('good'),
      serviceUrl: SERVICE,
      fetch: api.fetch,
      clock: time.clock,
      timers: time.timers,
      ...options,
    }),
  );
}

afterEach(() => {
  disposeSessions();
  localStorage.clear();
  sessionStorage.clear();
});

for (const storage of ['session', 'local'] as const) {
  const area = storage === 'local' ? localStorage : sessionStorage;

  describe(`a session in ${storage} storage`, () => {
    it('is restored by the next page, which requests the user and rotates no refresh token', async () => {
      const world = await createSignedInSession({ storage });
      world.session.dispose();
      const again = openAnother(world, { storage });
      expect(again.snapshot.status).to.equal('checking');
      await until('found', () => again.snapshot.signedIn);
      expectAda(again);
      expect(idsOf(again)).to.deep.equal([community.id]);
      expect(world.api.count(TOKEN)).to.equal(1);
    });

    it('is refreshed by the next page when it is due', async () => {
      const world = await createSignedInSession({ storage });
      world.session.dispose();
      world.time.sleep(2 * 60 * MINUTE);
      const again = openAnother(world, { storage });
      await until('found', () => again.snapshot.signedIn);
      expect(
        world.api.seen.filter(({ path }) => path === '/oauth/token')[1]?.form.get('refresh_token'),
      ).to.equal('refresh-1');
      expect(await again.getAccessToken()).to.equal('access-2');
    });

    it('whose access token was revoked is refreshed', async () => {
      const world = await createSignedInSession({ storage });
      world.session.dispose();
      let revoked = true;
      world.api.on('GET /oauth/userinfo', () => {
        if (!revoked) return Response.json(ada);
        revoked = false;
        return Response.json({ error: 'invalid_token' }, { status: 401 });
      });
      const again = openAnother(world, { storage });
      await until('found', () => again.snapshot.signedIn);
      expect(world.api.count(TOKEN)).to.equal(2);
    });

    it('that the service no longer knows expires and is deleted', async () => {
      const world = await createSignedInSession({ storage });
      world.session.dispose();
      world.time.sleep(2 * 60 * MINUTE);
      world.api.on(TOKEN, () => Response.json({ error: 'invalid_grant' }, { status: 400 }));
      const again = openAnother(world, { storage });
      await until('expired', () => again.snapshot.status === 'expired');
      expect(area.getItem(NAME)).to.equal(null);
    });

    it('leaves nothing after sign-out but the mark that the next sign-in asks for an account', async () => {
      const { session } = await createSignedInSession({ storage });
      expect(area.getItem(NAME)).to.contain('refresh-1');
      await session.signOut();
      expect({ ...localStorage, ...sessionStorage }).to.deep.equal({ [`${NAME}:out`]: '{}' });
    });

    for (const rubbish of ['', '{', 'null', '[]', '{"accessToken":1}', '"text"', '{"__proto__":{}}']) {
      it(`treats ${rubbish || 'an empty text'} in it as signed out`, async () => {
        area.setItem(NAME, rubbish);
        const { session, api } = createTestSession({ storage });
        await settled();
        expect(session.snapshot.status).to.equal('signed-out');
        expect(api.log()).to.deep.equal([]);
      });
    }

    it('works in memory where the browser forbids storage', async () => {
      const { setItem, getItem } = Storage.prototype;
      const forbid = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      };
      Object.assign(Storage.prototype, { setItem: forbid, getItem: forbid });
      try {
        const { session } = await createSignedInSession({ storage });
        expect(await session.getAccessToken()).to.equal('access-1');
        await session.signOut();
        expect(session.snapshot.status).to.equal('signed-out');
      } finally {
        Object.assign(Storage.prototype, { setItem, getItem });
      }
    });
  });
}

/** Records the messages between tabs from now on. */
function overhear() {
  const heard: { type: string }[] = [];
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }) => heard.push(data);
  overheard.push(channel);
  return { heard, say: (message: unknown) => channel.postMessage(message) };
}

const overheard: BroadcastChannel[] = [];
afterEach(() => {
  for (const channel of overheard.splice(0)) channel.close();
});

describe('tabs that share their tokens', () => {
  for (const [what, knows] of [
    ['', true],
    [' before it knows who was signed in', false],
  ] as const) {
    it(`do not undo the sign-out of one of them${what} with a refresh that was posted just before`, async () => {
      const world = await createSignedInSession({ storage: 'local' });
      const find = () => openAnother(world, { storage: 'local' });
      let here = knows ? find() : undefined;
      if (here) await until('found', () => here?.snapshot.signedIn);
      const { heard } = overhear();
      let answer = () => {};
      world.api.on(
        TOKEN,
        () =>
          new Promise((resolve) => {
            answer = () => resolve(tokens('late'));
          }),
      );
      const refresh = world.session.refresh();
      await until('asked', () => world.api.count(TOKEN) === 2);
      here ??= find();
      // What it tells then is under way, and not yet heard.
      const leave = world.session.subscribe(() => {
        leave();
        void here.signOut();
      });
      answer();
      await refresh;
      await until('told', () => heard.some(({ type }) => type === 'changed'));
      await until('signed out', () => world.session.snapshot.status === 'signed-out');
      await settled();
      expect(here.snapshot.status).to.equal('signed-out');
      expect((await here.getAccessToken().catch(String)).toString()).to.contain('No user is signed in');
      expect(localStorage.getItem(NAME)).to.equal(null);
    });
  }

  it('work alone if the browser denies BroadcastChannel', async () => {
    const { BroadcastChannel: Channel } = globalThis;
    globalThis.BroadcastChannel = class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    } as unknown as typeof Channel;
    try {
      const { session } = await createSignedInSession({ storage: 'local' });
      await session.refresh();
      expect(await session.getAccessToken()).to.equal('access-2');
      await session.signOut();
      expect(session.snapshot.status).to.equal('signed-out');
    } finally {
      globalThis.BroadcastChannel = Channel;
    }
  });

  it('refresh even if the browser denies locks', async () => {
    const { locks } = navigator;
    const request = () => Promise.reject(new DOMException('Denied in this context.', 'SecurityError'));
    Object.defineProperty(navigator, 'locks', {
      value: { request, query: () => locks.query() },
      configurable: true,
    });
    try {
      const { session } = await createSignedInSession({ storage: 'local' });
      await session.refresh();
      expect(await session.getAccessToken()).to.equal('access-2');
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('refresh once for all, however many there are', async () => {
    const world = await createSignedInSession({ storage: 'local' });
    const others = Array.from({ length: 19 }, () => openAnother(world, { storage: 'local' }));
    await until('all found', () => others.every(({ snapshot }) => snapshot.signedIn));
    await world.time.advance(59 * MINUTE);
    const tabs = [world.session, ...others];
    await until('all fresh', () =>
      tabs.every(({ snapshot }) => (snapshot.expiresAt ?? 0) > world.time.clock.now() + 30 * MINUTE),
    );
    expect(world.api.count(TOKEN)).to.equal(2);
    expect(new Set(await Promise.all(tabs.map((tab) => tab.getAccessToken())))).to.deep.equal(
      new Set(['access-2']),
    );
    expect(tabs.every(({ snapshot }) => snapshot.status === 'signed-in')).to.equal(true);
  });

  it('receive a sign-in of another tab without a request', async () => {
    const early = createTestSession({ storage: 'local' });
    await createSignedInSession({ storage: 'local' });
    await until('told', () => early.session.snapshot.signedIn);
    expectAda(early.session);
    expect(early.api.log()).to.deep.equal([]);
  });

  it('accept a message before the storage shows the new tokens', async () => {
    const world = await createSignedInSession({ storage: 'local' });
    const heard: unknown[] = [];
    const spy = new BroadcastChannel(NAME);
    spy.onmessage = ({ data }) => heard.push(data);
    world.time.sleep(59 * MINUTE);
    await world.session.refresh();
    await until('told', () => heard.length > 0);
    world.session.dispose();
    // In another process what was written can be a moment later to be read than what was said.
    localStorage.clear();
    const late = openAnother(world, { storage: 'local' });
    expect(late.snapshot.status).to.equal('signed-out');
    spy.postMessage(heard[0]);
    await until('signed in', () => late.snapshot.signedIn);
    expect(await late.getAccessToken()).to.equal('access-2');
    await late.signOut();
    expect((await late.getAccessToken().catch(String)).toString()).to.contain('No user is signed in');
    spy.close();
  });

  it('receive an expiry in another tab', async () => {
    const world = await createSignedInSession({ storage: 'local' });
    const other = openAnother(world, { storage: 'local' });
    await until('found', () => other.snapshot.signedIn);
    world.api.on(TOKEN, () => Response.json({ error: 'invalid_grant' }, { status: 400 }));
    await world.session.refresh();
    expect(world.session.snapshot.status).to.equal('expired');
    await until('told', () => other.snapshot.status === 'expired');
    expect(world.api.count(TOKEN)).to.equal(2);
  });

  it('that were duplicated use the tokens of the tab that refreshed first', async () => {
    const world = await createSignedInSession({ storage: 'session' });
    const duplicate = openAnother(world, { storage: 'session' });
    await until('found', () => duplicate.snapshot.signedIn);
    await world.session.refresh();
    await settled();
    expect(await duplicate.getAccessToken()).to.equal('access-2');
    expect(world.api.count(TOKEN)).to.equal(2);
  });

  it('use the tokens that another tab just stored but did not post yet', async () => {
    const world = await createSignedInSession({ storage: 'local' });
    const other = openAnother(world, { storage: 'local' });
    await until('found', () => other.snapshot.signedIn);
    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world.api.on('GET /oauth/userinfo', () => slow.then(() => Response.json(ada)));
    const first = world.session.refresh();
    await until('kept', () => localStorage.getItem(NAME)?.includes('refresh-2'));
    const second = other.refresh();
    answer();
    await Promise.all([first, second]);
    expect(world.api.count(TOKEN)).to.equal(2);
    expect(other.snapshot.status).to.equal('signed-in');
  });

  it('wait for a slow refresh and send no token twice', async () => {
    const world = await createSignedInSession({ storage: 'local' });
    const other = openAnother(world, { storage: 'local' });
    await until('found', () => other.snapshot.signedIn);
    let answer = () => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world.api.on(TOKEN, () => slow.then(() => tokens('late')));
    const both = Promise.all([world.session.refresh(), other.refresh()]);
    await until('asked', () => world.api.count(TOKEN) === 2);
    world.api.on(TOKEN, () => tokens('later'));
    answer();
    await both;
    const spent = world.api.seen.map(({ form }) => form.get('refresh_token')).filter(Boolean);
    expect(spent).to.deep.equal(['refresh-1']);
    expect(other.snapshot.status).to.equal('signed-in');
  });
});

for (const storage of ['memory', 'session', 'local'] as const) {
  it(`a sign-out reaches the tabs with their tokens in ${storage}`, async () => {
    const world = await createSignedInSession({ storage });
    const other = await createSignedInSession({ storage });
    await world.session.signOut();
    await until('told', () => other.session.snapshot.status === 'signed-out');
    await other.session.getAccessToken().then(
      () => expect.fail('a token was given'),
      (error) => expect(error.code).to.equal('invalid_token'),
    );
  });
}

for (const [one, other] of [
  ['session', 'local'],
  ['local', 'session'],
] as const) {
  it(`tokens in ${one} storage are not those of a tab that keeps its own in ${other} storage`, async () => {
    const { session, api } = createTestSession({ storage: other });
    const { heard } = overhear();
    const world = await createSignedInSession({ storage: one });
    await world.session.refresh();
    await until('told', () => heard.length > 0);
    await settled();
    expect(session.snapshot.status).to.equal('signed-out');
    expect(api.log()).to.deep.equal([]);
  });
}

describe('a full local storage', () => {
  /** Fills the storage to the last character. */
  function fill(): void {
    let text = '';
    for (let size = 2 ** 23; size >= 1; size /= 2) {
      try {
        localStorage.setItem('others', text + 'x'.repeat(size));
        text += 'x'.repeat(size);
      } catch {
        // Half of it may fit.
      }
    }
  }

  it('keeps the session of this page in its memory, and leaves no old tokens behind', async () => {
    const before = await createSignedInSession({ storage: 'local' });
    before.session.dispose();
    localStorage.setItem(NAME, '{}');
    fill();
    const other = openAnother(before, { storage: 'local' });
    const { session, time, api } = await createSignedInSession({ storage: 'local' });
    expect(localStorage.getItem(NAME)).to.equal(null);
    await time.advance(5000);
    happens(document, 'visibilitychange');
    await time.advance(0);
    await until('checked', () => api.count('GET /oauth/userinfo') === 2);
    await settled();
    expect(session.snapshot.status).to.equal('signed-in');
    expect(await session.getAccessToken()).to.equal('access-1');
    expect(other.snapshot.status).to.equal('signed-out');
    await session.signOut();
    expect(session.snapshot.status).to.equal('signed-out');
  });
});

it('stored tokens that are rejected after a failed check end the session', async () => {
  const world = await createSignedInSession({ storage: 'local' });
  world.session.dispose();
  world.time.sleep(2 * 60 * MINUTE);
  world.api.on(TOKEN, () => new TypeError('Failed to fetch'));
  const again = openAnother(world, { storage: 'local' });
  await until('failed', () => again.snapshot.status === 'failed');
  world.api.on(TOKEN, () => Response.json({ error: 'invalid_grant' }, { status: 400 }));
  dispatchEvent(new Event('online'));
  await world.time.advance(0);
  await until('expired', () => again.snapshot.status === 'expired');
});

it('a sign-out of one client does not affect another', async () => {
  const one = await createSignedInSession();
  const other = await createSignedInSession({ clientId: clientId('other') });
  await one.session.signOut();
  await settled();
  expect(other.session.snapshot.status).to.equal('signed-in');
});

function tokens(name: string) {
  return Response.json(
    {
      access_token: `access-${name}`,
      refresh_token: `refresh-${name}`,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'memberships.read',
    },
    { status: 201 },
  );
}
