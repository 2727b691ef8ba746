import { expect } from 'chai';
import '../define.js';
import { clientId } from '../../test/support/client-id.js';
import { SERVICE } from '../../test/support/popup-session.js';
import { settled } from '../../test/support/settled.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { LatchkeyLogin } from '../index.js';
import { en } from '../messages/en.js';
import type { LoginSession, SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

let clients = 0;

/** Sessions last as long as the page, so every test takes a client of its own. */
function newClient(): string {
  clients += 1;
  return clientId(`sharing ${clients}`);
}

async function place<Name extends 'latchkey-login' | 'latchkey-gate'>(
  name: Name,
  attributes: Record<string, string>,
): Promise<HTMLElementTagNameMap[Name]> {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  document.body.append(element);
  await element.updateComplete;
  return element;
}

afterEach(() => document.body.replaceChildren());

describe('elements on one page', () => {
  it('that name no client follow the first that does, also when it comes later', async () => {
    // Until then the one that does may still be on its way.
    await until('the page is there', () => document.readyState === 'complete');
    const gate = await place('latchkey-gate', {});
    expect(gate.session).to.equal(undefined);
    expect(gate.state).to.equal('loading');
    const { error } = console;
    const said: string[] = [];
    console.error = (text: string) => void said.push(text);
    await until('error', () => gate.state === 'error');
    console.error = error;
    expect(said).to.deep.equal([
      'Latchkey: no element on the page names a client. Set client-id on <latchkey-login>, or on the gate. latchkey explain misconfigured',
    ]);
    expect(gate.shadowRoot?.textContent).to.contain(en.failures.misconfigured);
    const login = await place('latchkey-login', { 'client-id': newClient(), 'service-url': SERVICE });
    await gate.updateComplete;
    expect(gate.session).to.equal(login.session);
    expect(gate.state).to.equal('signed-out');
  });

  it('share a session when client, service and backend agree [assumes token-cors]', async () => {
    const attributes = { 'client-id': newClient(), 'service-url': SERVICE };
    const one = await place('latchkey-login', attributes);
    const two = await place('latchkey-login', attributes);
    const gate = await place('latchkey-gate', attributes);
    expect(two.session).to.equal(one.session);
    expect(gate.session).to.equal(one.session);
    one.signIn();
    await until('signed in', () => one.snapshot?.signedIn);
    await gate.updateComplete;
    expect(two.snapshot).to.equal(one.snapshot);
    expect(gate.state).to.equal('open');
  });

  it('share a session when they write the same address with and without a slash at its end', async () => {
    const { console: developerConsole } = globalThis;
    const { warn } = developerConsole;
    const said: string[] = [];
    developerConsole.warn = (text: string) => void said.push(text);
    try {
      for (const [service, backend] of [[SERVICE], [SERVICE, '/auth']] as const) {
        const client = newClient();
        const sessions = [];
        for (const end of ['', '/', '//']) {
          const login = await place('latchkey-login', {
            'client-id': client,
            'service-url': service + end,
            ...(backend && { backend: backend + end }),
          });
          sessions.push(login.session);
        }
        expect(new Set(sessions).size).to.equal(1);
        expect(sessions[0]?.backend).to.equal(backend);
      }
    } finally {
      developerConsole.warn = warn;
    }
    expect(said).to.deep.equal([]);
  });

  it('stay apart when they do not agree [assumes token-cors]', async () => {
    const client = newClient();
    const one = await place('latchkey-login', { 'client-id': client, 'service-url': SERVICE });
    const others = [
      await place('latchkey-login', { 'client-id': newClient(), 'service-url': SERVICE }),
      await place('latchkey-login', { 'client-id': client, 'service-url': location.origin }),
      await place('latchkey-login', { 'client-id': client, 'service-url': SERVICE, backend: '/auth' }),
    ];
    expect(new Set([one, ...others].map(({ session }) => session)).size).to.equal(4);
    one.signIn();
    await until('signed in', () => one.snapshot?.signedIn);
    expect(others.some(({ snapshot }) => snapshot?.signedIn)).to.equal(false);
  });

  it('keep the session when they are moved or recreated [assumes token-cors]', async () => {
    const attributes = { 'client-id': newClient(), 'service-url': SERVICE };
    const login = await place('latchkey-login', attributes);
    login.signIn();
    await until('signed in', () => login.snapshot?.signedIn);
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    elsewhere.append(login);
    await login.updateComplete;
    expect(login.snapshot?.signedIn).to.equal(true);
    login.remove();
    const recreated = await place('latchkey-login', attributes);
    expect(recreated.snapshot?.signedIn).to.equal(true);
    expect(recreated.shadowRoot?.textContent).to.contain('ada@example.com');
  });

  it('that name no client listen to the first session only while they are on the page', async () => {
    await place('latchkey-login', { 'client-id': newClient(), 'service-url': SERVICE });
    const gate = await place('latchkey-gate', {});
    const session = gate.session as LoginSession;
    const { subscribe } = session;
    const listening = new Set();
    session.subscribe = (listener) => {
      const leave = subscribe(listener);
      listening.add(listener);
      return () => {
        listening.delete(listener);
        leave();
      };
    };
    try {
      for (let turn = 0; turn < 3; turn++) {
        gate.remove();
        expect(listening.size).to.equal(0);
        document.body.append(gate);
        await gate.updateComplete;
        expect(listening.size).to.be.above(0);
      }
    } finally {
      session.subscribe = subscribe;
    }
  });

  for (const [what, change] of [
    ['client-id', { 'client-id': newClient() }],
    ['backend', { backend: '/auth' }],
  ] as const) {
    it(`that name no client follow a login whose ${what} changes`, async () => {
      const gate = await place('latchkey-gate', {});
      const login = await place('latchkey-login', { 'client-id': newClient(), 'service-url': SERVICE });
      await gate.updateComplete;
      const { session } = login;
      expect(gate.session).to.equal(session);
      for (const [name, value] of Object.entries(change)) login.setAttribute(name, value);
      await login.updateComplete;
      await gate.updateComplete;
      expect(login.session).not.to.equal(session);
      expect(gate.session).to.equal(login.session);
    });
  }

  it('that name no client follow the next login when the first leaves the page, but not while it is moved', async () => {
    const attributes = { 'client-id': newClient(), 'service-url': SERVICE };
    const login = await place('latchkey-login', attributes);
    const other = await place('latchkey-login', { ...attributes, 'client-id': newClient() });
    const gate = await place('latchkey-gate', {});
    const { session } = login;
    expect(gate.session).to.equal(session);
    document.body.append(login);
    await settled();
    expect(gate.session).to.equal(session);
    login.remove();
    await until('handed on', () => gate.session === other.session);
    other.remove();
    await settled();
    expect(gate.session).to.equal(other.session);
  });

  it('that were removed do not update when the page has loaded', async () => {
    const gate = await place('latchkey-gate', {});
    gate.remove();
    let told = 0;
    gate.requestUpdate = () => {
      told += 1;
    };
    dispatchEvent(new Event('load'));
    expect(told).to.equal(0);
  });

  it('do not wait forever for a page that never finishes loading', async () => {
    const { setTimeout: wait } = globalThis;
    const alarms: (() => void)[] = [];
    Object.defineProperty(document, 'readyState', { value: 'interactive', configurable: true });
    globalThis.setTimeout = ((callback: () => void, delay = 0) =>
      delay < 3000 ? wait(callback, delay) : alarms.push(callback)) as typeof setTimeout;
    try {
      const gate = await place('latchkey-gate', {});
      let told = 0;
      gate.requestUpdate = () => {
        told += 1;
      };
      // Those that an alarm sets follow.
      for (const alarm of alarms) alarm();
      expect(told).to.be.greaterThan(0);
    } finally {
      globalThis.setTimeout = wait;
      Reflect.deleteProperty(document, 'readyState');
    }
  });

  it('change sessions with their attributes', async () => {
    const login = await place('latchkey-login', { 'client-id': newClient(), 'service-url': SERVICE });
    const { session } = login;
    login.clientId = newClient();
    await login.updateComplete;
    expect(login.session).not.to.equal(session);
  });

  it('with different settings use those of the first, and the console warns once', async () => {
    const { console: developerConsole } = globalThis;
    const { warn } = developerConsole;
    const said: string[] = [];
    developerConsole.warn = (text: string) => void said.push(text);
    try {
      const attributes = { 'client-id': newClient(), 'service-url': SERVICE };
      const first = await place('latchkey-login', { ...attributes, 'return-url': '/back' });
      await place('latchkey-gate', attributes);
      await place('latchkey-login', { ...attributes, 'return-url': '/back' });
      expect(said).to.deep.equal([]);
      const later = await place('latchkey-login', { ...attributes, 'return-url': '/back', storage: 'local' });
      expect(later.session).to.equal(first.session);
      later.remove();
      document.body.append(later);
      await later.updateComplete;
      expect(said).to.have.length(1);
      expect(said[0]).to.contain('"returnUrl":"/back"}').and.to.contain('"storage":"local"');
      expect(said[0]).to.contain('Give both the same attributes');
    } finally {
      developerConsole.warn = warn;
    }
  });

  it('ask for the scopes that one of them names', async () => {
    const attributes = { 'client-id': newClient(), 'service-url': SERVICE };
    const gate = await place('latchkey-gate', attributes);
    expect(gate.session?.scopes).to.deep.equal(['memberships.read']);
    await place('latchkey-login', { ...attributes, scope: 'memberships.read, products.read' });
    expect(gate.session?.scopes).to.deep.equal(['memberships.read', 'products.read']);
  });

  it('without a client show that they are not set up and dispatch an error', async () => {
    const login = document.createElement('latchkey-login');
    login.serviceUrl = SERVICE;
    const told = new Promise<CustomEvent>((resolve) => login.addEventListener('latchkey-error', resolve));
    document.body.append(login);
    const { detail } = await told;
    expect(detail.code).to.equal('misconfigured');
    expect(detail.message).to.contain('clientId');
    await login.updateComplete;
    expect(login.shadowRoot?.textContent).to.contain('not set up correctly');
  });

  it('use properties that were set before they were defined', async () => {
    // In a document without a window, elements are not defined.
    const element = document.implementation.createHTMLDocument().createElement('latchkey-login');
    expect(element).not.to.be.instanceOf(LatchkeyLogin);
    const { session } = createStubSession(loginStates['signed in']);
    Object.assign(element, { clientId: clientId('early'), serviceUrl: SERVICE, session });
    document.body.append(element);
    expect(element).to.be.instanceOf(LatchkeyLogin);
    await element.updateComplete;
    expect(element.getAttribute('client-id')).to.equal(clientId('early'));
    expect(element.session).to.equal(session);
  });
});

describe('the script file', () => {
  async function load(type: string): Promise<void> {
    const script = document.createElement('script');
    script.type = type;
    script.src = `${SERVICE}/widget/latchkey.js?${newClient()}`;
    const loaded = new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
    });
    document.head.append(script);
    await loaded;
    await settled();
  }

  it('is safe to load again, as a module or a classic script', async () => {
    let errors = 0;
    const count = () => errors++;
    addEventListener('error', count);
    await load('');
    await load('module');
    removeEventListener('error', count);
    expect(errors).to.equal(0);
    expect(customElements.get('latchkey-login')).to.equal(LatchkeyLogin);
  });

  for (const type of ['', 'module']) {
    it(`signs in where it was loaded from, as ${type || 'a classic script'}`, async () => {
      const frame = document.createElement('iframe');
      frame.title = 'a page';
      const others = ['latchkey-config.js', 'latchkey-plans.js'].map(
        (name) => `<script type="${type}" src="${location.origin}/widget/missing/${name}"></script>`,
      );
      const html = `<!doctype html>${others.join('')}
        <script type="${type}" src="${SERVICE}/widget/latchkey.js"></script>
        <latchkey-login client-id="${clientId('good')}"></latchkey-login>`;
      frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
      document.body.append(frame);
      const login = await until('the element', () => {
        const element = frame.contentDocument?.querySelector('latchkey-login');
        return element?.session && element;
      });
      let address = '';
      const page = frame.contentWindow as Window & typeof globalThis;
      page.open = ((url: string) => {
        address = url;
        return null;
      }) as typeof window.open;
      await login.session?.prepare();
      login.signIn();
      expect(address).to.match(new RegExp(`^${SERVICE}/oauth/authorize`));
    });
  }

  it('fails at once in a frame with sandbox, which has no origin that could receive the response', async () => {
    const page = () => {
      const login = document.createElement('latchkey-login');
      login.clientId = 'oac_0123456789abcdef01234567';
      document.body.append(login);
      let opened = 0;
      window.open = () => {
        opened += 1;
        return Object.assign(document.createElement('iframe'), { closed: false }) as unknown as Window;
      };
      setTimeout(async () => {
        await login.session?.prepare();
        login.signIn();
        setTimeout(() => parent.postMessage({ opened, ...login.snapshot }, '*'));
      });
    };
    const frame = document.createElement('iframe');
    frame.title = 'a frame with sandbox';
    frame.sandbox.add('allow-scripts', 'allow-popups');
    const html = `<!doctype html><body><script src="${SERVICE}/widget/latchkey.js"></script><script>(${page})()</script>`;
    frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
    const answer = new Promise<SessionSnapshot & { opened: number }>((resolve) => {
      addEventListener('message', ({ source, data }) => source === frame.contentWindow && resolve(data));
    });
    document.body.append(frame);
    const { status, failure, opened } = await answer;
    expect({ status, opened }).to.deep.equal({ status: 'failed', opened: 0 });
    expect(failure?.code).to.equal('misconfigured');
    expect(failure?.message).to.contain('needs an http(s) origin; got "null"');
  });
});
