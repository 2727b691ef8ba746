import { expect } from 'chai';
import { createStillSession, loginStates } from '../src/testing.js';
import { clientId } from './support/client-id.js';
import { createSignedInSession, disposeSessions, SERVICE } from './support/popup-session.js';
import { until } from './support/until.js';

/** A service that has none of the widget's files. */
const BARE = location.origin.replace('localhost', 'live.localhost');
const TRUSTED_TYPES = "trusted-types lit-html; require-trusted-types-for 'script'";

type LoadedPage = Window & typeof globalThis & { hacked?: boolean };

let frame: HTMLIFrameElement;
/** The address of each window that the page opened, and the window. */
const opened: { url: string; popup: Window | null }[] = [];
let serial = 0;

afterEach(() => {
  disposeSessions();
  for (const { popup } of opened.splice(0)) popup?.close();
  frame.remove();
  localStorage.clear();
  sessionStorage.clear();
});

/** Returns the name of a folder in which the part behaves so. No other test uses it. */
const folder = (behaviour: string) => `${behaviour}-${Date.now()}-${serial++}`;

const loginAttributes = (settings: Record<string, string> = {}) =>
  Object.entries({ 'client-id': clientId('good'), ...settings })
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');

/** Stores tokens that have expired. */
function storeTokens(): void {
  const tokens = { accessToken: 'a', expiresAt: 0, renewAt: 0, scopes: [] };
  localStorage.setItem(`latchkey:${clientId('good')}@${BARE}`, JSON.stringify(tokens));
}

function addressOf(query: Record<string, string>): string {
  return `/site/parts?${new URLSearchParams(query)}`;
}

/** Opens a page of the site that loads the scripts from the service. */
async function openPage(query: Record<string, string>): Promise<LoadedPage> {
  frame = document.createElement('iframe');
  frame.src = addressOf(query);
  document.documentElement.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = frame.contentWindow as LoadedPage;
  const { open } = page;
  page.open = (url, name, features) => {
    const popup = open.call(page, url, name, features);
    opened.push({ url: String(url), popup });
    return popup;
  };
  return page;
}

const login = () => {
  const element = frame.contentDocument?.querySelector('latchkey-login');
  if (!element) throw new Error('The page has no login element.');
  return element;
};
const button = (text = '') =>
  [...(login().shadowRoot?.querySelectorAll('button') ?? [])].find(({ textContent }) =>
    textContent?.includes(text),
  );
const failure = () => login().snapshot?.failure;
const askedFor = (file: string) =>
  frame.contentWindow?.performance
    .getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith(file)) ?? [];

/** Waits until a click opens the popup at the service. */
async function prepared(): Promise<void> {
  await until('the element', () => login().session);
  await login().session?.prepare();
}

describe('latchkey.js', () => {
  for (const [what, policy] of [
    ['the origin of the service', `script-src ${SERVICE}`],
    ['a nonce', "script-src 'nonce-n'"],
    ['a nonce and strict-dynamic', "script-src 'nonce-n' 'strict-dynamic'"],
    ['the origin, and Trusted Types', `script-src ${SERVICE}; ${TRUSTED_TYPES}`],
    [
      'a nonce and strict-dynamic, and Trusted Types',
      `script-src 'nonce-n' 'strict-dynamic'; ${TRUSTED_TYPES}`,
    ],
  ] as const) {
    it(`signs in on a page whose policy allows ${what}`, async () => {
      await openPage({ attributes: loginAttributes(), policy });
      await prepared();
      button()?.click();
      expect(opened[0]?.url).to.match(new RegExp(`^${SERVICE}/oauth/authorize`));
      await until('signed in', () => login().snapshot?.signedIn);
      expect(askedFor('/latchkey-sign-in.js')).to.have.length(1);
    });
  }

  it('paints the button without its part, and loads that when the page has nothing else to do', async () => {
    const name = folder('late');
    await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes() });
    await until('the button', () => button('Sign in')?.checkVisibility());
    expect(login().snapshot?.status).to.equal('signed-out');
    await fetch(`/parts/${name}/release`);
    await until('the part', () => askedFor('/latchkey-sign-in.js').length);
    // A browser can list the file before it tells that it is loaded.
    await until('no trace in the page', () => frame.contentDocument?.querySelector('link') === null);
  });

  for (const [what, reach] of [
    ['a pointer', (element: Element) => element.dispatchEvent(new PointerEvent('pointerenter'))],
    ['the focus', (element: HTMLElement) => element.focus()],
  ] as const) {
    it(`loads its part when ${what} reaches the element`, async () => {
      const page = await openPage({});
      await until('defined', () => page.customElements.get('latchkey-login'));
      page.requestIdleCallback = () => 0;
      const element = page.document.createElement('latchkey-login');
      element.clientId = clientId('good');
      page.document.body.append(element);
      await until('the button', () => button('Sign in'));
      expect(askedFor('/latchkey-sign-in.js')).to.have.length(0);
      reach(element);
      await until('the part', () => askedFor('/latchkey-sign-in.js').length);
    });
  }

  it('opens the popup inside a click that comes before the part, and leads it to the service after it', async () => {
    const name = folder('late');
    await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes() });
    await until('the button', () => button('Sign in'));
    button()?.click();
    expect(opened.map(({ url }) => url)).to.deep.equal(['about:blank']);
    expect(login().snapshot?.status).to.equal('opening');
    await fetch(`/parts/${name}/release`);
    await until('signed in', () => login().snapshot?.signedIn);
    expect(opened).to.have.length(1);
  });

  it('opens the menu that was asked for before the part, once it is there', async () => {
    const name = folder('late');
    await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes() });
    await until('the button', () => button('Sign in'));
    login().session = createStillSession(loginStates['signed in']);
    (await until('the account button', () => button('ada@'))).click();
    await until('asked for', () => button()?.getAttribute('aria-expanded') === 'true');
    expect(button('Sign out')).to.equal(undefined);
    await fetch(`/parts/${name}/release`);
    const signOut = await until('the menu', () => button('Sign out'));
    expect(signOut.checkVisibility()).to.equal(true);
    expect(login().shadowRoot?.querySelector(':popover-open')).not.to.equal(null);
  });

  for (const direction of ['ltr', 'rtl']) {
    it(`keeps a panel in the window that opens before the part, in a page with direction ${direction}`, async () => {
      const name = folder('late');
      const page = await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes() });
      await until('the button', () => button('Sign in'));
      // At the start of a narrow box at the end of the page, where the panel would leave it.
      frame.style.inlineSize = '800px';
      page.document.documentElement.dir = direction;
      page.document.body.style.marginInlineStart = '530px';
      button()?.click();
      const panel = await until('the panel', () => login().shadowRoot?.querySelector('.panel:not(.quiet)'));
      const { left, right } = panel.getBoundingClientRect();
      expect([left >= 0, right <= 800], `${left} to ${right}`).to.deep.equal([true, true]);
      const root = page.document.documentElement;
      expect(root.scrollWidth).to.equal(root.clientWidth);
      await fetch(`/parts/${name}/release`);
      await until('the top layer', () => login().shadowRoot?.querySelector('.panel:popover-open'));
      const placed = panel.getBoundingClientRect();
      expect([placed.left >= 0, placed.right <= 800], `${placed.left} to ${placed.right}`).to.deep.equal([
        true,
        true,
      ]);
    });
  }

  it('forgets the menu if Escape is pressed before the part is there', async () => {
    const name = folder('late');
    const page = await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes() });
    await until('the button', () => button('Sign in'));
    login().session = createStillSession(loginStates['signed in']);
    (await until('the account button', () => button('ada@'))).click();
    const press = new page.KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true });
    button()?.dispatchEvent(press);
    await fetch(`/parts/${name}/release`);
    await login().updateComplete;
    expect(button()?.getAttribute('aria-expanded')).to.equal('false');
    expect(button('Sign out')).to.equal(undefined);
  });

  it('says that the menu did not load, and loads it again', async () => {
    const name = folder('early');
    const page = await openPage({
      scripts: `${name}/latchkey.js`,
      attributes: loginAttributes({ 'service-url': BARE, backend: '/kit/members' }),
    });
    const errors: unknown[] = [];
    page.addEventListener('latchkey-error', ({ detail }) => errors.push(detail.code));
    (await until('the account button', () => button('ada@'))).click();
    const retry = await until('the failure', () => button('Try again'));
    expect(errors).to.deep.equal(['script_missing']);
    expect(login().snapshot?.signedIn).to.equal(true);
    await fetch(`/parts/${name}/release`);
    retry.click();
    await until('the menu', () => button('Sign out'));
  });

  for (const [what, name, policy] of [
    ['is missing', 'missing', undefined],
    ['has other contents than its release', 'changed', undefined],
    ['is forbidden by the policy of the page', 'good', `script-src ${SERVICE}/parts/good/latchkey.js`],
    ['has not arrived yet', 'late', undefined],
  ] as const) {
    const open = (backend: string) =>
      openPage({
        scripts: `${name === 'late' ? folder(name) : name}/latchkey.js`,
        attributes: loginAttributes({ 'service-url': BARE, backend }),
        ...(policy && { policy }),
      });

    it(`shows who is signed in at the backend, and opens the gate, if its part ${what}`, async () => {
      const page = await open('/kit/members');
      const gate = page.document.createElement('latchkey-gate');
      gate.community = 'c0';
      page.document.body.append(gate);
      await until('the account button', () => button('ada@')?.checkVisibility());
      await until('open', () => gate.state === 'open');
    });

    it(`shows that nobody is signed in at the backend if its part ${what}`, async () => {
      await open('/kit/nobody');
      await until('signed out', () => login().snapshot?.status === 'signed-out');
      expect(button('Sign in')?.checkVisibility()).to.equal(true);
    });

    it(`asks the backend again after a failure if its part ${what}`, async () => {
      await open(`/kit/${folder('recovers')}`);
      await until('failed', failure);
      expect(failure()).to.include({ code: 'service_error', during: 'check' });
      await until('the account button', () => button('ada@'));
    });
  }

  it('asks the backend once, although its part arrives meanwhile', async () => {
    const name = folder('late');
    await openPage({
      scripts: `${name}/latchkey.js`,
      attributes: loginAttributes({ backend: '/kit/members' }),
    });
    await until('the account button', () => button('ada@'));
    await fetch(`/parts/${name}/release`);
    await prepared();
    expect(askedFor('/session')).to.have.length(1);
  });

  it('waits for its part if tokens are stored, and keeps looking for them until it is there', async () => {
    const name = folder('early');
    storeTokens();
    const page = await openPage({
      scripts: `${name}/latchkey.js`,
      attributes: loginAttributes({ 'service-url': BARE, storage: 'local' }),
    });
    await until('failed', failure);
    expect(failure()).to.include({ code: 'script_missing', during: 'check' });
    expect(button('Try again')).not.to.equal(undefined);
    await fetch(`/parts/${name}/release`);
    await until('looked up', () => login().snapshot?.status === 'expired');
    expect(page.localStorage).to.have.length(0);
  });

  it('knows of stored tokens before its part is there', async () => {
    storeTokens();
    const attributes = loginAttributes({ 'service-url': BARE, storage: 'local' });
    const scripts = `${folder('late')}/latchkey.js`;
    await openPage({ scripts, attributes });
    await until('the button', () => button('Sign in'));
    expect(login().snapshot?.status).to.equal('checking');
    frame.remove();
    localStorage.clear();
    await openPage({ scripts, attributes });
    await until('the button', () => button('Sign in'));
    expect(login().snapshot?.status).to.equal('signed-out');
  });

  it('takes over the sign-in of another tab that came before its part', async () => {
    const name = folder('late');
    await openPage({ scripts: `${name}/latchkey.js`, attributes: loginAttributes({ storage: 'local' }) });
    await until('the button', () => button('Sign in'));
    await createSignedInSession({ storage: 'local' });
    expect(login().snapshot?.status).to.equal('signed-out');
    await fetch(`/parts/${name}/release`);
    await until('signed in', () => login().snapshot?.signedIn);
  });

  for (const isAsked of [false, true]) {
    it(`keeps a gate closed whose content did not load, and loads it again ${isAsked ? 'when asked' : 'by itself'}`, async () => {
      const name = folder('early');
      const page = await openPage({
        scripts: `${name}/latchkey.js`,
        attributes: loginAttributes({ 'service-url': BARE }),
      });
      await until('defined', () => page.customElements.get('latchkey-gate'));
      const gate = page.document.createElement('latchkey-gate');
      gate.src = '/members';
      gate.serviceUrl = BARE;
      gate.session = createStillSession(loginStates['signed in'], {
        fetch: async () => new Response('<p>Members</p>', { headers: { 'content-type': 'text/html' } }),
      });
      page.document.body.append(gate);
      const retry = await until('closed', () => gate.shadowRoot?.querySelector('button'));
      expect(gate.state).to.equal('error');
      await fetch(`/parts/${name}/release`);
      if (isAsked) retry.click();
      await until('open', () => gate.state === 'open');
      expect(gate.textContent).to.contain('Members');
    });
  }

  for (const [what, name, policy] of [
    ['is missing', 'missing', undefined],
    ['has other contents than its release', 'changed', undefined],
    ['is forbidden by the policy of the page', 'good', `script-src ${SERVICE}/parts/good/latchkey.js`],
  ] as const) {
    it(`closes the popup and offers to try again if its part ${what}`, async () => {
      const page = await openPage({
        scripts: `${name}/latchkey.js`,
        attributes: loginAttributes({ 'service-url': BARE }),
        ...(policy && { policy }),
      });
      await until('the button', () => button('Sign in'));
      button()?.click();
      await until('failed', failure);
      expect(failure()?.code).to.equal('script_missing');
      expect(failure()?.message).to.contain(`${SERVICE}/parts/${name}/latchkey-sign-in.js`);
      expect(opened[0]?.popup?.closed).to.equal(true);
      expect(page.hacked).to.equal(undefined);
      await until('the action', () => button('Try again'));
    });
  }

  it('loads its part again after a failure', async () => {
    const name = folder('early');
    await openPage({
      scripts: `${name}/latchkey.js`,
      attributes: loginAttributes({ 'service-url': BARE }),
    });
    await until('the button', () => button('Sign in'));
    button()?.click();
    await until('failed', failure);
    // A click would share a load that is still running.
    await login().session?.prepare();
    await fetch(`/parts/${name}/release`);
    (await until('the action', () => button('Try again'))).click();
    await until('signed in', () => login().snapshot?.signedIn);
  });

  it('takes its part from the service if the site copied only latchkey.js', async () => {
    await openPage({ scripts: `${folder('missing')}/latchkey.js`, attributes: loginAttributes() });
    await prepared();
    button()?.click();
    await until('signed in', () => login().snapshot?.signedIn);
  });

  it('is offline if the browser is', async () => {
    const page = await openPage({
      scripts: `${folder('missing')}/latchkey.js`,
      attributes: loginAttributes({ 'service-url': BARE }),
    });
    Object.defineProperty(page.navigator, 'onLine', { value: false });
    await until('the button', () => button('Sign in'));
    button()?.click();
    await until('failed', failure);
    expect(failure()?.code).to.equal('network');
  });

  it('finishes a sign-in by redirect', async () => {
    await openPage({ redirect: '' });
    await prepared();
    button()?.click();
    await until('signed in', () => {
      const element = frame.contentDocument?.querySelector('latchkey-login');
      return element?.snapshot?.signedIn;
    });
    expect(opened).to.have.length(0);
  });

  describe('on the page to which a redirect returns, without its part,', () => {
    let name = '';

    beforeEach(async () => {
      name = folder('early');
      const settings = {
        scripts: `${name}/latchkey.js`,
        attributes: loginAttributes({ 'service-url': BARE, mode: 'redirect', 'return-url': '/site/parts' }),
      };
      const pending = {
        redirectUri: `${location.origin}/site/parts`,
        state: 'the-state',
        codeVerifier: 'v'.repeat(43),
        from: location.origin + addressOf(settings),
      };
      sessionStorage.setItem(`latchkey:${clientId('good')}@${BARE}:redirect`, JSON.stringify(pending));
      await openPage({ ...settings, code: 'the-code', state: 'the-state' });
      await until('failed', failure);
    });

    it('says so, and finishes the sign-in once it is there', async () => {
      expect(failure()).to.include({ code: 'script_missing', during: 'sign-in' });
      expect(frame.contentWindow?.location.search).not.to.contain('the-code');
      await fetch(`/parts/${name}/release`);
      await until('signed in', () => login().snapshot?.signedIn);
    });

    it('finishes the sign-in when asked to try again', async () => {
      await fetch(`/parts/${name}/release`);
      button('Try again')?.click();
      await until('signed in', () => login().snapshot?.signedIn);
      expect(opened).to.have.length(0);
    });

    it('forgets the sign-in if the visitor dismisses it', async () => {
      button('Dismiss')?.click();
      await fetch(`/parts/${name}/release`);
      await prepared();
      await until('the part', () => askedFor('/latchkey-sign-in.js').length > 1);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      expect(login().snapshot?.status).to.equal('signed-out');
    });
  });

  it('restores stored tokens at once', async () => {
    await openPage({ attributes: loginAttributes({ storage: 'local' }) });
    await prepared();
    button()?.click();
    await until('signed in', () => login().snapshot?.signedIn);
    frame.remove();
    await openPage({ attributes: loginAttributes({ storage: 'local' }) });
    await until('signed in', () => login().snapshot?.signedIn);
  });

  it('leaves for the kit without its part', async () => {
    await openPage({
      scripts: `${folder('missing')}/latchkey.js`,
      attributes: loginAttributes({ 'service-url': BARE, backend: '/kit/shop', mode: 'redirect' }),
    });
    await until('the button', () => button('Sign in'));
    button()?.click();
    await until('the kit', () => frame.contentDocument?.title === 'login');
  });

  it('signs in on a page with a second copy, and with the plans', async () => {
    await openPage({
      scripts: 'good/latchkey.js other/latchkey.js good/latchkey-plans.js other/latchkey-all.js',
      attributes: loginAttributes(),
      policy: TRUSTED_TYPES,
    });
    await prepared();
    button()?.click();
    await until('signed in', () => login().snapshot?.signedIn);
  });
});

describe('latchkey-all.js', () => {
  it('signs in without another file', async () => {
    await openPage({ scripts: 'good/latchkey-all.js', attributes: loginAttributes(), policy: TRUSTED_TYPES });
    await prepared();
    button()?.click();
    expect(opened[0]?.url).to.match(new RegExp(`^${SERVICE}/oauth/authorize`));
    await until('signed in', () => login().snapshot?.signedIn);
    expect(askedFor('/latchkey-sign-in.js')).to.have.length(0);
  });
});
