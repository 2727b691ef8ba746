import { expect } from 'chai';
import { BASE_HINT, withBaseOfAnotherSite } from '../../test/support/base-of-another-site.js';
import { clientId } from '../../test/support/client-id.js';
import { createTestSession, disposeSessions } from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { until } from '../../test/support/until.js';

const PAGE = new URL('../../test/support/redirect-page.html', import.meta.url).href;
const RETURN = `${PAGE}?return`;

let frame: HTMLIFrameElement | undefined;

/** A page of the site, in a frame so that it can leave and come back. */
async function openPage(query: string, settings: Record<string, string> = {}) {
  frame = document.createElement('iframe');
  frame.src = `${PAGE}?${query}#${new URLSearchParams({ client: clientId('good'), ...settings })}`;
  document.body.append(frame);
  return await pageThat('is there', () => true);
}

/** The page that the frame shows once it has a session of which something holds. */
async function pageThat(what: string, holds: (page: Window) => boolean): Promise<Window> {
  let page: Window | undefined;
  await until(what, () => {
    try {
      const shown = frame?.contentWindow;
      page = shown?.session && holds(shown) ? shown : undefined;
      return page;
    } catch {
      // At the service.
      return undefined;
    }
  });
  return page as Window;
}

/** True if the frame shows another site. While it navigates, it could miss the next navigation. */
function isElsewhere(): boolean {
  return frame?.contentDocument === null;
}

/** True after a recent click. Firefox counts scripts of its driver as clicks. */
function setUserActivation(page: Window, isActive: boolean): void {
  Object.defineProperty(page.navigator, 'userActivation', { value: { isActive }, configurable: true });
}

afterEach(() => {
  frame?.remove();
  disposeSessions();
  sessionStorage.clear();
  localStorage.clear();
});

describe('a sign-in by redirect', () => {
  for (const storage of ['memory', 'session', 'local']) {
    it(`comes back to where the visitor was, signed in, with tokens in ${storage} [assumes token-cors]`, async () => {
      const page = await openPage('article=7', { storage });
      const { session: before } = page;
      before.signIn();
      const here = await pageThat(
        'is back',
        ({ session, location }) =>
          session !== before && location.search === '?article=7' && session.snapshot.signedIn,
      );
      expect(await here.session.getAccessToken()).to.equal(`access-${clientId('good')}`);
      const left = Object.keys(sessionStorage).filter((name) => name !== 'settings');
      expect(left).to.deep.equal(storage === 'session' ? left.slice(0, 1) : []);
    });
  }

  it('from the return page itself leaves no tokens behind when only the fragment differs [assumes token-cors]', async () => {
    // As the address is when code and state are gone from it.
    const { session: before } = await openPage('return=');
    before.signIn();
    await pageThat(
      'is back',
      ({ session, location }) => session !== before && session.snapshot.signedIn && location.hash !== '',
    );
    expect(Object.keys(sessionStorage).filter((name) => name !== 'settings')).to.deep.equal([]);
  });

  it('leaves neither code nor state in the address, from the first moment', async () => {
    const page = await openPage('', {});
    const { session: before } = page;
    before.signIn();
    const back = await pageThat('is back', ({ session }) => session !== before);
    expect(back.addressAfter).not.to.match(/[?&](?:code|state)=/);
  });

  it('that is declined goes back with the failure', async () => {
    const page = await openPage('article=7', { client: clientId('declines') });
    page.session.signIn();
    const back = await pageThat(
      'is back',
      ({ session, location }) => location.search === '?article=7' && session.snapshot.status === 'failed',
    );
    expect(back.session.snapshot.failure).to.include({ code: 'access_denied', during: 'sign-in' });
    const { session: told } = back;
    back.location.reload();
    const again = await pageThat('is reloaded', ({ session }) => session !== told);
    expect(again.session.snapshot.status).to.equal('signed-out');
  });

  it('whose code expired fails with code_expired [assumes token-cors]', async () => {
    const page = await openPage('article=7', { client: clientId('late') });
    page.session.signIn();
    const back = await pageThat('is back', ({ session }) => session.snapshot.status === 'failed');
    expect(back.session.snapshot.failure?.code).to.equal('code_expired');
  });

  it('with another state than the one sent is refused, and the awaited answer still counts', async () => {
    const page = await openPage('article=7', { client: clientId('stays') });
    page.session.signIn();
    const kept = await until('remembered', () =>
      sessionStorage.getItem(Object.keys(sessionStorage).find((name) => name.endsWith(':redirect')) ?? ''),
    );
    await until('at the service', isElsewhere);
    (frame as HTMLIFrameElement).src = `${RETURN}&code=forged&state=forged`;
    const back = await pageThat('is back', ({ session }) => session.snapshot.status === 'failed');
    expect(back.session.snapshot.failure?.code).to.equal('state_mismatch');
    expect(
      sessionStorage.getItem(Object.keys(sessionStorage).find((name) => name.endsWith(':redirect')) ?? ''),
    ).to.equal(kept);
  });

  it('ends on the page that the host moved the return page to [assumes token-cors]', async () => {
    const page = await openPage('article=7', { client: clientId('stays') });
    page.session.signIn();
    const name = await until('remembered', () =>
      Object.keys(sessionStorage).find((key) => key.endsWith(':redirect')),
    );
    const sent = JSON.parse(sessionStorage.getItem(name) ?? '');
    sessionStorage.setItem(name, JSON.stringify({ ...sent, redirectUri: `${location.origin}/return` }));
    await until('at the service', isElsewhere);
    (frame as HTMLIFrameElement).src = `${PAGE}?code=the-code&state=${sent.state}`;
    const back = await pageThat('is back', ({ location }) => location.search === '?article=7');
    await until('signed in', () => back.session.snapshot.signedIn);
  });

  it('leaves an unexpected code in the address', async () => {
    await openPage('return&code=other&state=other');
    const page = await pageThat('is there', () => true);
    await settled();
    expect(page.location.search).to.equal('?return&code=other&state=other');
    expect(page.session.snapshot.status).to.equal('signed-out');
  });

  it('never goes back to another site, whatever was left in the storage', async () => {
    await openPage('article=7');
    const name = `latchkey:${clientId('good')}@${location.origin.replace('localhost', '127.0.0.1')}:redirect`;
    sessionStorage.setItem(
      name,
      JSON.stringify({ state: 's', codeVerifier: 'v', redirectUri: RETURN, from: 'https://evil.example/' }),
    );
    (frame as HTMLIFrameElement).src = `${RETURN}&code=c&state=s`;
    const page = await pageThat('is there', ({ location }) => location.search.includes('code=c'));
    await settled();
    expect(page.session.snapshot.status).to.equal('signed-out');
  });
});

describe('without a popup', () => {
  for (const [what, returnUrl] of [
    ['no return-url', undefined],
    ['a return-url on another site', 'https://elsewhere.example/return'],
    ['a return-url with a fragment', `${RETURN}#part`],
  ] as const) {
    it(`${what} is named as what to set right`, async () => {
      const { session } = createTestSession({ mode: 'redirect', returnUrl });
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure?.code).to.equal('misconfigured');
      expect(session.snapshot.failure?.message).to.contain('return-url').and.to.contain(location.origin);
    });
  }

  it('a return-url that a base element makes one of another origin names that element', async () => {
    await withBaseOfAnotherSite(async () => {
      const { session } = createTestSession({ mode: 'redirect', returnUrl: '/signed-in' });
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure?.message).to.contain(`got "/signed-in". ${BASE_HINT}`);
    });
  });

  it('sessionStorage that the browser denies is a setting of the visitor', async () => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    try {
      const { session } = createTestSession({ mode: 'redirect', returnUrl: RETURN });
      session.signIn();
      await until('failed', () => session.snapshot.status === 'failed');
      expect(session.snapshot.failure?.code).to.equal('cookies_blocked');
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('a blocked popup becomes no redirect in a frame, where the service can’t be shown', async () => {
    const page = await openPage('article=7', { mode: 'popup' });
    page.open = () => null;
    setUserActivation(page, true);
    page.session.signIn();
    await until('blocked', () => page.session.snapshot.failure?.code === 'popup_blocked');
    expect(isElsewhere()).to.equal(false);
  });
});
