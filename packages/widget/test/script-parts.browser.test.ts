import { expect } from 'chai';
import { clientId } from './support/client-id.js';
import { SERVICE } from './support/popup-session.js';
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
