import { expect } from 'chai';
import { clientId } from '../../test/support/client-id.js';
import { closePopup } from '../../test/support/close-popup.js';
import { ada, createFakeApi } from '../../test/support/fake-api.js';
import {
  createSignedInSession,
  createTestSession,
  disposeSessions,
  SERVICE,
} from '../../test/support/popup-session.js';
import { until } from '../../test/support/until.js';
import type { LoginSession } from '../session/index.js';
import { RESPONSE_TYPE } from './popup.js';

const windowOpen = window.open;
let opened: { url: string; popup: Window | null }[] = [];

beforeEach(() => {
  opened = [];
  window.open = (url, name, features) => {
    const popup = windowOpen.call(window, url, name, features);
    opened.push({ url: String(url), popup });
    return popup;
  };
});

afterEach(() => {
  disposeSessions();
  window.open = windowOpen;
  localStorage.clear();
});

const lastPrompt = () => new URL(opened.at(-1)?.url ?? '').searchParams.get('prompt');

async function signIn(session: LoginSession): Promise<string | null> {
  await session.prepare();
  session.signIn();
  await until('signed in', () => session.snapshot.signedIn);
  return lastPrompt();
}

describe('the sign-in', () => {
  it('asks for the language of the page, if it has one', async () => {
    const { lang } = document.documentElement;
    for (const [language, asked] of [
      ['de-AT', 'de-AT'],
      ['', null],
    ] as const) {
      document.documentElement.lang = language;
      const { session } = createTestSession();
      await session.prepare();
      session.signIn();
      const { searchParams } = new URL(opened.at(-1)?.url ?? '');
      expect(searchParams.get('ui_locales'), language).to.equal(asked);
      session.dispose();
    }
    document.documentElement.lang = lang;
  });
});

describe('the sign-in after a sign-out', () => {
  it('asks for an account, also on the next page and in another tab, until somebody has signed in', async () => {
    const { session } = createTestSession();
    expect(await signIn(session)).to.equal(null);
    await session.signOut();
    const { session: next } = createTestSession();
    const { session: later } = createTestSession();
    expect(await signIn(next)).to.equal('select_account');
    await until('signed out here', () => session.snapshot.status === 'signed-out');
    expect(await signIn(later)).to.equal(null);
  });

  it('asks if the kit says that the browser signed out, and not after an expired session', async () => {
    for (const [reason, prompt] of [
      ['signed_out', 'select_account'],
      ['expired', null],
      [undefined, null],
    ]) {
      const api = createFakeApi();
      api.on('GET /auth/session', () => Response.json({ signedIn: false, reason }));
      const { session } = createTestSession({ backend: '/auth', fetch: api.fetch });
      await until('looked up', () => /signed-out|expired/.test(session.snapshot.status));
      await session.prepare();
      session.signIn();
      expect(lastPrompt(), reason ?? '').to.equal(prompt);
      session.dispose();
    }
  });
});

describe('the change of the account', () => {
  it('opens the popup in the click, and hides the session until the other one has begun', async () => {
    const { session } = await createSignedInSession();
    session.switchAccount();
    expect(lastPrompt()).to.equal('select_account');
    expect(session.snapshot.signedIn).to.equal(false);
    await until('signed in', () => session.snapshot.signedIn);
  });

  it('brings the session back if the window is closed or the visitor cancels', async () => {
    const { session, api, time } = createTestSession({ clientId: clientId('stays') });
    await session.prepare();
    session.signIn();
    const { popup = null, url = '' } = opened[0] ?? {};
    const state = new URL(url).searchParams.get('state');
    await until('waiting', () => session.snapshot.status === 'waiting');
    const data = { type: RESPONSE_TYPE, code: 'the-code', state };
    dispatchEvent(new MessageEvent('message', { origin: SERVICE, source: popup, data }));
    await until('signed in', () => session.snapshot.signedIn);
    for (const end of [
      () => session.cancel(),
      async () => {
        await closePopup(opened.at(-1)?.popup);
        await time.advance(800);
      },
    ]) {
      session.switchAccount();
      expect(lastPrompt()).to.equal('select_account');
      await until('waiting', () => session.snapshot.status === 'waiting');
      await end();
      await until('back', () => session.snapshot.signedIn);
      expect(session.user).to.deep.equal(ada);
      await session.prepare();
    }
    expect(api.log().filter((line) => line === 'POST /oauth/token')).to.have.length(1);
  });
});
