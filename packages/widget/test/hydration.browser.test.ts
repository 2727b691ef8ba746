import { expect } from 'chai';
import '../src/define.js';
import '../src/plans.js';
import { setScriptOrigin } from '../src/browser/addresses.js';
import { LatchkeyGate } from '../src/gate/gate-element.js';
import type { SessionSnapshot } from '../src/session/index.js';
import { createStillCheckout, loginStates, plansStates } from '../src/testing.js';
import { createStubSession } from './support/stub-session.js';
import { until } from './support/until.js';

// What a server rendered belongs to the framework that hydrates it: it compares attributes and children with its own result.

const MARKUP = `<latchkey-login full-width="true" compact="true" size="small" membership-names='{ "a": "b" }'>
  <a slot="menu" href="/orders">Orders</a></latchkey-login>
<latchkey-gate backend="/auth" product-type="community"><p>For members. <button>One</button></p>
  <p slot="locked">Join. <button>Two</button></p></latchkey-gate>
<latchkey-plans backend="/auth"><h2>Plans</h2></latchkey-plans>
<latchkey-join backend="/auth" plan="p1">Join</latchkey-join>`;

const LOGGED = { attributes: true, childList: true, characterData: true, subtree: true } as const;

let page: HTMLElement;
beforeEach(() => {
  page = document.createElement('main');
});
afterEach(() => document.body.replaceChildren());

/** Puts markup into the page as the parser does, and records each change of it that the page did not make. */
function render(markup: string) {
  document.body.append(page);
  page.innerHTML = markup;
  const observer = new MutationObserver(() => {});
  observer.observe(page, LOGGED);
  const elements = [...page.querySelectorAll('latchkey-login,latchkey-gate,latchkey-plans,latchkey-join')];
  return {
    elements: elements as (HTMLElementTagNameMap['latchkey-gate'] & { updateComplete: Promise<unknown> })[],
    changes: () =>
      observer
        .takeRecords()
        .map(({ type, target, attributeName }) => `${type} ${target.nodeName} ${attributeName}`),
  };
}

describe('markup that a framework owns', () => {
  for (const [name, snapshot] of Object.entries(loginStates) as [string, SessionSnapshot][]) {
    it(`stays as it is when ${name}`, async () => {
      const { elements, changes } = render(MARKUP);
      const { session } = createStubSession(snapshot);
      for (const element of elements) {
        element.session = session;
        if ('checkout' in element) element.checkout = createStillCheckout(plansStates.plans);
      }
      for (const element of elements) await element.updateComplete;
      expect(page.querySelector('latchkey-gate')?.state).to.be.a('string');
      expect(changes()).to.deep.equal([]);
    });
  }

  it('stays as it is in each state of a purchase', async () => {
    for (const snapshot of Object.values(plansStates)) {
      const { elements, changes } = render(MARKUP);
      for (const element of elements)
        if ('checkout' in element) element.checkout = createStillCheckout(snapshot);
      for (const element of elements) await element.updateComplete;
      expect(changes()).to.deep.equal([]);
      page.replaceChildren();
    }
  });

  it('stays as it is when the gate takes a focus whose control it hides', async () => {
    const { elements, changes } = render(MARKUP);
    const gate = elements[1] as HTMLElementTagNameMap['latchkey-gate'];
    const stub = createStubSession(loginStates['signed in']);
    gate.session = stub.session;
    await gate.updateComplete;
    gate.querySelector('button')?.focus();
    stub.become(loginStates['signed out']);
    await gate.updateComplete;
    expect(document.activeElement).to.equal(gate);
    expect(changes()).to.deep.equal([]);
  });

  it('shows its state to style sheets', async () => {
    const { elements } = render(MARKUP);
    const gate = elements[1] as HTMLElementTagNameMap['latchkey-gate'];
    const stub = createStubSession(loginStates['signed in']);
    gate.session = stub.session;
    await gate.updateComplete;
    expect(gate.matches(':state(open)')).to.equal(true);
    stub.become(loginStates['signed out']);
    await gate.updateComplete;
    expect(gate.matches(':state(signed-out)') && !gate.matches(':state(open)')).to.equal(true);
    expect(page.querySelector('latchkey-plans')?.matches(':state(loading)')).to.equal(true);
  });
});

describe('content from the server in a gate that a framework may hydrate', () => {
  const CONTENT = '<p id="content">Recipes</p>';
  const fetchContent = async () => new Response(CONTENT, { headers: { 'content-type': 'text/html' } });

  /** A gate that is in the page before its class is defined. */
  async function gateFromServer(children = '<p slot="locked">Join</p>') {
    LatchkeyGate.isDefining = true;
    const { elements, changes } = render(`<latchkey-gate src="/members">${children}</latchkey-gate>`);
    LatchkeyGate.isDefining = false;
    const gate = elements[0] as HTMLElementTagNameMap['latchkey-gate'];
    let answered = 0;
    gate.session = Object.assign(createStubSession(loginStates['signed in']).session, {
      fetch: async () => {
        answered += 1;
        return await fetchContent();
      },
    });
    await until('an answer', () => answered === 1);
    await gate.updateComplete;
    return { gate, changes };
  }
  afterEach(() => {
    setScriptOrigin(undefined as never);
    for (const name of ['__reactRouterContext', '__next_f']) Reflect.deleteProperty(window, name);
  });
  const isShown = () => document.querySelector('#content')?.checkVisibility() === true;

  it('waits until React has taken over the gate', async () => {
    const { gate, changes } = await gateFromServer();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await gate.updateComplete;
    expect(gate.state).to.equal('loading');
    expect(changes()).to.deep.equal([]);
    Object.assign(gate, { __reactFiber$1: {} });
    await until('the content', isShown);
    expect(gate.state).to.equal('open');
  });

  for (const name of ['__reactRouterContext', '__next_f'])
    it(`waits in a page with ${name}, also with the script tag after the page has loaded`, async () => {
      setScriptOrigin(location.origin);
      Object.assign(window, { [name]: {} });
      const { gate, changes } = await gateFromServer();
      expect(gate.state).to.equal('loading');
      expect(changes()).to.deep.equal([]);
      Object.assign(gate, { __reactFiber$1: {} });
      await until('the content', isShown);
    });

  it('waits for ten seconds in a page of React that has not taken over the gate', async () => {
    const { setTimeout: wait } = globalThis;
    let age = 9_999;
    Object.defineProperty(performance, 'now', { value: () => age, configurable: true });
    globalThis.setTimeout = ((callback: () => void, delay = 0) =>
      wait(callback, delay === 3000 ? 0 : delay)) as typeof setTimeout;
    try {
      Object.assign(window, { __reactRouterContext: {} });
      const { gate, changes } = await gateFromServer();
      await new Promise((resolve) => wait(resolve, 200));
      expect(gate.state).to.equal('loading');
      expect(changes()).to.deep.equal([]);
      age += 2;
      await until('the content', isShown);
    } finally {
      globalThis.setTimeout = wait;
      Reflect.deleteProperty(performance, 'now');
    }
  });

  it('goes at once into the page of a script tag that no React hydrates', async () => {
    setScriptOrigin(location.origin);
    const { gate } = await gateFromServer();
    await until('the content', isShown);
    expect(gate.state).to.equal('open');
  });

  it('goes at once into the place that the page brings along, and leaves it when the gate closes', async () => {
    const { gate } = await gateFromServer('<div data-latchkey-content></div>');
    await until('the content', isShown);
    expect(gate.children).to.have.length(1);
    gate.session = createStubSession(loginStates['signed out']).session;
    await gate.updateComplete;
    expect(gate.innerHTML).to.equal('<div data-latchkey-content=""></div>');
  });

  it('returns if a script that replaces the page has removed it', async () => {
    const { gate } = await gateFromServer();
    Object.assign(gate, { __reactFiber$1: {} });
    await until('the content', isShown);
    gate.innerHTML = '<p slot="locked">Join</p>';
    await until('the content again', isShown);
  });

  it('goes at once into a gate that a script creates', async () => {
    const gate = document.createElement('latchkey-gate');
    gate.src = '/members';
    gate.session = Object.assign(createStubSession(loginStates['signed in']).session, {
      fetch: fetchContent,
    });
    document.body.append(gate);
    await until('the content', isShown);
  });
});

describe('a gate where inline styles are forbidden', () => {
  const CHILDREN = '<p id="inside">For members.</p><p slot="signed-out">Sign in.</p>';
  const CLOSED = `<latchkey-gate product-type="community"><template shadowrootmode="open"></template>${CHILDREN}</latchkey-gate>`;

  /** True if the members' part is visible in a page whose policy forbids inline styles and runs no script. */
  async function isVisible(gate: string): Promise<boolean | undefined> {
    const frame = document.createElement('iframe');
    const policy = "default-src 'none'; style-src 'none'";
    frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}">
      <style>latchkey-gate:not(:defined) { display: none; }</style>${gate}`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    return frame.contentDocument?.querySelector('#inside')?.checkVisibility();
  }

  it('is closed before the script by an empty declarative shadow root, which needs no style', async () => {
    expect(await isVisible(`<latchkey-gate>${CHILDREN}</latchkey-gate>`)).to.equal(true);
    expect(await isVisible(CLOSED)).to.equal(false);
  });

  it('shows its states in that shadow root', async () => {
    page.setHTMLUnsafe(CLOSED);
    document.body.append(page);
    const gate = page.querySelector('latchkey-gate') as HTMLElementTagNameMap['latchkey-gate'];
    const inside = () => page.querySelector('#inside')?.checkVisibility();
    const stub = createStubSession(loginStates['signed out']);
    gate.session = stub.session;
    await gate.updateComplete;
    expect(inside()).to.equal(false);
    expect(gate.querySelector('[slot]')?.checkVisibility()).to.equal(true);
    stub.become(loginStates['signed in']);
    await gate.updateComplete;
    expect(inside()).to.equal(true);
  });
});
