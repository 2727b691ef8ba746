import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import { expect } from 'chai';
import '../define.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { en } from '../messages/en.js';
import type { SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = '';
});

async function show(
  snapshot: SessionSnapshot,
  markup = '<p id="inside">For members.</p>',
  attributes: Record<string, string> = { 'product-type': 'community' },
  backend?: string,
) {
  const stub = createStubSession(snapshot, undefined, backend);
  const gate = document.createElement('latchkey-gate');
  for (const [name, value] of Object.entries(attributes)) gate.setAttribute(name, value);
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
    ['signed in without e-mail or membership', 'locked', en.gate.none],
    ['check failed', 'error', en.gate.error],
    ['signed in', 'open', undefined],
  ] as const) {
    it(`is ${state} when ${name}, shows the reason, and is accessible`, async () => {
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        const { gate, inside, text: told } = await show(loginStates[name]);
        expect(gate.state).to.equal(state);
        expect(gate.state).to.equal(state);
        expect(inside()).to.equal(state === 'open');
        expect(told()).to.equal(text);
        await expectAccessible(gate);
        gate.remove();
      }
    });
  }

  it('says that the membership of a user does not include the content', async () => {
    const { text } = await show(loginStates['signed in'], '', { 'product-type': 'agency' });
    expect(text()).to.equal(en.gate.locked);
  });

  it('offers no second try where only the owner of the site can help, and shows the code', async () => {
    const failure = { code: 'insecure_context', during: 'check', message: '' } as const;
    const { root, text } = await show({ status: 'failed', signedIn: false, failure });
    expect(text()).to.equal(en.failures.insecure_context);
    expect(root.querySelector('.notice')?.textContent).to.contain('Error code: insecure_context');
    expect(root.querySelectorAll('button')).to.have.length(0);
    const withoutBackend = await show(loginStates['signed in'], '', { community: 'x' });
    expect(withoutBackend.text()).to.equal(en.failures.misconfigured);
    expect(withoutBackend.root.querySelector('.notice')?.textContent).to.contain('misconfigured');
    expect(withoutBackend.root.querySelectorAll('button')).to.have.length(0);
  });

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
    const { gate } = await show(loginStates['signed in'], '', { 'product-type': 'agency' });
    expect(gate.state).to.equal('locked');
    gate.setAttribute('product-type', 'agency community');
    await gate.updateComplete;
    expect(gate.state).to.equal('open');
    gate.membership = 'another';
    await gate.updateComplete;
    expect(gate.state).to.equal('locked');
  });

  it('accepts a list that a framework sets as an array', async () => {
    const { gate } = await show(loginStates['signed in'], '', { 'product-type': 'agency' });
    Object.assign(gate, { productType: ['agency', 'community'] });
    await gate.updateComplete;
    expect(gate.state).to.equal('open');
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

  it('keeps the focus at its place in the shadow of another component', async () => {
    const { gate, change } = await show(loginStates['signed in'], '<button id="inside">Brew</button>');
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    root.append(gate);
    await gate.updateComplete;
    root.querySelector<HTMLElement>('#inside')?.focus();
    await change('signed out');
    expect(root.activeElement?.localName).to.equal('latchkey-gate');
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

describe('a gate by community, product or plan', () => {
  let logged: string[] = [];
  const { error, warn } = console;
  beforeEach(() => {
    logged = [];
    console.error = (text: string) => logged.push(text);
    console.warn = (text: string) => logged.push(text);
  });
  afterEach(() => Object.assign(console, { error, warn }));

  /** The attributes and the membership of a member of the site. */
  const ours = { community: 'c1', product: 'd1', plan: 'p1' };
  const member = (isKnown: boolean): SessionSnapshot => ({
    ...loginStates['signed in'],
    memberships: [
      {
        ...loginStates['signed in'].memberships[0],
        isKnown,
        communityId: 'C1',
        productId: 'D1',
        pricingPlanId: 'P1',
      },
    ],
  });

  for (const [name, id] of Object.entries(ours)) {
    it(`opens for ${name} with a backend, for one of its ids`, async () => {
      const { gate, inside } = await show(member(true), undefined, { [name]: `x ${id}` }, '/auth');
      expect(inside()).to.equal(true);
      gate.setAttribute(name, 'x');
      await gate.updateComplete;
      expect(gate.state).to.equal('locked');
      expect(logged).to.deep.equal([]);
    });

    it(`stays locked for ${name} if the membership is unknown to the site`, async () => {
      const { gate, inside } = await show(member(false), undefined, { [name]: id }, '/auth');
      expect(gate.state).to.equal('locked');
      expect(inside()).to.equal(false);
    });

    for (const [what, value, backend] of [
      ['without a backend', id, undefined],
      ['without an id', '', '/auth'],
      ['with a list of no ids', ' , ', '/auth'],
    ] as const) {
      it(`is misconfigured for ${name} ${what}: it says why, and never opens`, async () => {
        const told: unknown[] = [];
        const listen = ({ detail }: HTMLElementEventMap['latchkey-error']) => told.push(detail);
        document.addEventListener('latchkey-error', listen);
        const { gate, inside, text, change } = await show(
          member(true),
          undefined,
          { [name]: value },
          backend,
        );
        expect(gate.state).to.equal('error');
        expect(text()).to.equal(en.failures.misconfigured);
        const message = `${name}="${value}" needs an id and a session with a backend.`;
        for (const state of ['signed out', 'expired', 'signed in'] as const) {
          await change(state);
          expect(gate.state).to.equal('error');
          expect(inside()).to.equal(false);
        }
        document.removeEventListener('latchkey-error', listen);
        expect(logged).to.deep.equal([`Latchkey: ${message} latchkey explain misconfigured`]);
        expect(told).to.deep.equal([{ code: 'misconfigured', during: 'check', message }]);
        await expectAccessible(gate);
      });
    }
  }

  it('asks one membership to meet all attributes', async () => {
    const { gate } = await show(member(true), '', { ...ours, 'product-type': 'community' }, '/auth');
    expect(gate.state).to.equal('open');
    gate.productType = 'agency';
    await gate.updateComplete;
    expect(gate.state).to.equal('locked');
  });

  it('does not request src while it is misconfigured', async () => {
    const { gate, calls } = await show(member(true), '', { community: 'c1', src: '/log' });
    await gate.updateComplete;
    expect(gate.state).to.equal('error');
    expect(calls).to.deep.equal([]);
  });

  it('is misconfigured without the scope of memberships, unless the server alone decides', async () => {
    const { memberships: _, ...snapshot } = loginStates['signed in'];
    const { gate, text, inside } = await show(snapshot, undefined, {});
    expect(gate.state).to.equal('error');
    expect(text()).to.equal(en.failures.misconfigured);
    expect(inside()).to.equal(false);
    const message = 'No membership is known: the sign-in did not grant memberships.read. Add it to scope.';
    expect(logged).to.deep.equal([`Latchkey: ${message} latchkey explain misconfigured`]);
    const withSource = await show(snapshot, undefined, { src: '/log' });
    expect(withSource.calls).to.deep.equal(['fetch /log']);
    expect(logged).to.have.length(1);
  });

  it('works again once the attribute is right', async () => {
    const { gate } = await show(member(true), '', { community: '' }, '/auth');
    gate.community = 'c1';
    await gate.updateComplete;
    expect(gate.state).to.equal('open');
    gate.community = '';
    await gate.updateComplete;
    expect(logged).to.have.length(2);
  });

  it('warns about a product type that no membership has', async () => {
    const { gate } = await show(loginStates['signed in'], '', { 'product-type': 'communty agency' });
    expect(gate.state).to.equal('locked');
    gate.requestUpdate();
    await gate.updateComplete;
    expect(logged).to.deep.equal([
      `Latchkey: product-type "communty" is none of ${MEMBERSHIP_PRODUCT_TYPES.join(', ')}. latchkey explain product_type_unknown`,
    ]);
  });
});
