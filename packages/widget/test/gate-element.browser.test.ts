import { expect } from 'chai';
import '../src/define.js';
import { en } from '../src/messages/en.js';
import type { SessionSnapshot } from '../src/session/index.js';
import { loginStates } from '../src/testing/index.js';
import { expectAccessible } from './support/accessibility.js';
import { createStubSession } from './support/stub-session.js';
import { until } from './support/until.js';

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = '';
});

async function show(
  snapshot: SessionSnapshot,
  markup = '<p id="inside">For members.</p>',
  type = 'community',
) {
  const stub = createStubSession(snapshot);
  const gate = document.createElement('latchkey-gate');
  gate.productType = type;
  gate.innerHTML = markup;
  gate.session = stub.session;
  document.body.append(gate);
  await gate.updateComplete;
  const root = gate.shadowRoot as ShadowRoot;
  return {
    ...stub,
    gate,
    root,
    /** True if the visitor sees the slot for members. */
    inside: () => document.querySelector('#inside')?.checkVisibility() ?? false,
    text: () => root.querySelector('[role=status]')?.textContent,
    async change(name: keyof typeof loginStates) {
      stub.become(loginStates[name]);
      await gate.updateComplete;
    },
  };
}

describe('<latchkey-gate>', () => {
  for (const [name, state, text] of [
    ['checking', 'loading', en.gate.loading],
    ['signed out', 'signed-out', en.gate['signed-out']],
    ['waiting', 'signed-out', en.gate['signed-out']],
    ['expired', 'signed-out', en.gate['signed-out']],
    ['signed in without e-mail or membership', 'locked', en.gate.locked],
    ['check failed', 'error', en.gate.error],
    ['signed in', 'open', undefined],
  ] as const) {
    it(`is ${state} when ${name}, shows the reason, and is accessible`, async () => {
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        const { gate, inside, text: told } = await show(loginStates[name]);
        expect(gate.state).to.equal(state);
        expect(gate.getAttribute('state')).to.equal(state);
        expect(inside()).to.equal(state === 'open');
        expect(told()).to.equal(text);
        await expectAccessible(gate);
        gate.remove();
      }
    });
  }

  it('opens and closes with the session', async () => {
    const { gate, inside, change } = await show(loginStates['signed out']);
    expect(inside()).to.equal(false);
    await change('signed in');
    expect(inside()).to.equal(true);
    await change('expired');
    expect(inside()).to.equal(false);
    expect(gate.state).to.equal('signed-out');
  });

  it('follows its attributes', async () => {
    const { gate } = await show(loginStates['signed in'], '', 'agency');
    expect(gate.state).to.equal('locked');
    gate.setAttribute('product-type', 'agency community');
    await gate.updateComplete;
    expect(gate.getAttribute('state')).to.equal('open');
    gate.membership = 'another';
    await gate.updateComplete;
    expect(gate.getAttribute('state')).to.equal('locked');
  });

  it('accepts a list that a framework sets as an array', async () => {
    const { gate } = await show(loginStates['signed in'], '', 'agency');
    Object.assign(gate, { productType: ['agency', 'community'] });
    await gate.updateComplete;
    expect(gate.getAttribute('state')).to.equal('open');
  });

  it('shows the page’s content for a state instead of its own', async () => {
    const { root, gate } = await show(
      loginStates['signed in without e-mail or membership'],
      '<p slot="locked">Join us. <a href="/join">How</a></p>',
    );
    expect(root.querySelector('[part=notice]')).to.equal(null);
    expect(gate.querySelector('[slot=locked]')?.checkVisibility()).to.equal(true);
  });

  it('shows content that is added later', async () => {
    const { root, gate } = await show(loginStates['check failed']);
    expect(root.querySelector('[part=notice]')).not.to.equal(null);
    gate.insertAdjacentHTML('beforeend', '<p slot="error">Ask the barista.</p>');
    await until('replaced', () => root.querySelector('[part=notice]') === null);
  });

  it('offers to sign in with the same session, in place', async () => {
    const { root, calls } = await show(loginStates['signed out']);
    const login = root.querySelector('latchkey-login');
    await login?.updateComplete;
    login?.shadowRoot?.querySelector('button')?.click();
    expect(calls).to.deep.equal(['signIn']);
  });

  it('offers a retry after an error', async () => {
    const { root, calls } = await show(loginStates['check failed']);
    root.querySelector('button')?.click();
    expect(calls).to.deep.equal(['refresh']);
  });

  it('keeps the focus at its place when the focused content is replaced', async () => {
    const { root, change } = await show(loginStates['signed out']);
    await root.querySelector('latchkey-login')?.updateComplete;
    root.querySelector('latchkey-login')?.focus();
    expect(document.activeElement?.localName).to.equal('latchkey-gate');
    await change('exchanging');
    await change('signed in');
    expect(document.activeElement?.localName).to.equal('latchkey-gate');
  });

  it('does not take the focus from elsewhere', async () => {
    const { change } = await show(loginStates['signed out']);
    const input = document.createElement('input');
    document.body.append(input);
    input.focus();
    await change('signed in');
    expect(document.activeElement?.localName).to.equal('input');
  });
});
