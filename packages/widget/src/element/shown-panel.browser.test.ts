import { expect } from 'chai';
import '../define.js';
import { en } from '../messages/en.js';
import '../plans.js';
import { createStubSession } from '../../test/support/stub-session.js';
import type { SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

afterEach(() => document.body.replaceChildren());

/** Shows these elements with one session, in the order of the page. */
async function show(snapshot: SessionSnapshot, markup: string) {
  const stub = createStubSession(snapshot);
  const place = document.createElement('div');
  document.body.append(place);
  place.innerHTML = markup;
  const elements = [
    ...place.querySelectorAll<'latchkey-login'>('latchkey-login, latchkey-gate' as 'latchkey-login'),
  ];
  for (const element of elements) element.session = stub.session;
  const logins = () =>
    elements.flatMap((element) => {
      const inner = element.shadowRoot?.querySelector('latchkey-login');
      return element.localName === 'latchkey-login' ? [element] : inner ? [inner] : [];
    });
  const settle = async () => {
    for (let round = 0; round < 3; round += 1)
      await Promise.all([...elements, ...logins()].map((element) => element.updateComplete));
  };
  await settle();
  return {
    ...stub,
    elements,
    settle,
    /** True for each login element with a panel. */
    panels: () => logins().map((login) => !!login.shadowRoot?.querySelector('[part=panel]')),
    statuses: () => logins().map((login) => login.shadowRoot?.querySelector('[role=status]')?.textContent),
    async click(index: number, label = '') {
      const buttons = [...(logins()[index]?.shadowRoot?.querySelectorAll('button') ?? [])];
      const button = buttons.find(({ textContent }) => textContent?.includes(label));
      button?.focus();
      button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
      button?.click();
      await settle();
    },
    async change(name: keyof typeof loginStates) {
      stub.become(loginStates[name]);
      await settle();
    },
  };
}

const LOGIN_AND_GATE = '<latchkey-login></latchkey-login><latchkey-gate></latchkey-gate>';
const TWO_LOGINS = '<latchkey-login></latchkey-login><latchkey-login></latchkey-login>';

it('the events of one change have one detail, so that a listener at the document can skip repeats', async () => {
  const { change } = await show(loginStates.waiting, `${LOGIN_AND_GATE}<latchkey-gate></latchkey-gate>`);
  const details: object[] = [];
  const listen = ({ detail }: CustomEvent<object>) => details.push(detail);
  for (const type of ['latchkey-error', 'latchkey-change'] as const) document.addEventListener(type, listen);
  await change('popup blocked');
  for (const type of ['latchkey-error', 'latchkey-change'] as const)
    document.removeEventListener(type, listen);
  expect(details).to.have.length(6);
  expect([...new Set(details)]).to.have.members([
    loginStates['popup blocked'],
    loginStates['popup blocked'].failure,
  ]);
});

describe('the panel of a session', () => {
  for (const name of ['waiting', 'popup blocked', 'declined', 'misconfigured', 'expired'] as const) {
    it(`is shown and announced once on a page with a login above a gate when ${name}`, async () => {
      const { panels, statuses, change } = await show(loginStates['signed out'], LOGIN_AND_GATE);
      expect(panels()).to.deep.equal([false, false]);
      await change(name);
      expect(panels()).to.deep.equal([true, false]);
      expect(statuses()[1]).to.equal('');
    });
  }

  it('is shown by the element whose button the visitor used', async () => {
    const { panels, change, click } = await show(loginStates['signed out'], LOGIN_AND_GATE);
    await click(1);
    await change('waiting');
    expect(panels()).to.deep.equal([false, true]);
    await change('popup closed');
    expect(panels()).to.deep.equal([false, true]);
    await click(0);
    expect(panels()).to.deep.equal([true, false]);
  });

  it('is shown by a visible element: one that is hidden leaves it to another', async () => {
    const { panels, elements, settle } = await show(
      loginStates.waiting,
      '<div hidden><latchkey-login></latchkey-login></div><latchkey-login></latchkey-login>',
    );
    expect(panels()).to.deep.equal([false, true]);
    elements[1]?.remove();
    elements[0]?.parentElement?.removeAttribute('hidden');
    elements[0]?.requestUpdate();
    await settle();
    expect(panels()[0]).to.equal(true);
  });

  it('is left to a visible element by one with visibility: hidden', async () => {
    const { panels } = await show(
      loginStates.expired,
      '<div style="visibility: hidden"><latchkey-login></latchkey-login></div><latchkey-login></latchkey-login>',
    );
    expect(panels()).to.deep.equal([false, true]);
  });

  const HIDDEN_GATE = '<div style="display: none"><latchkey-gate></latchkey-gate></div>';
  const GATE = '<latchkey-gate></latchkey-gate>';
  const LOGIN = '<latchkey-login></latchkey-login>';
  for (const [name, markup] of Object.entries({
    'two elements in display: none': `<div style="display: none">${TWO_LOGINS}</div>`,
    'two elements in visibility: hidden': `<div style="visibility: hidden">${TWO_LOGINS}</div>`,
    'two gates': GATE + GATE,
    'three gates, two of them hidden': HIDDEN_GATE + GATE + HIDDEN_GATE,
    'a hidden gate and a login element': HIDDEN_GATE + LOGIN,
    'a login element and two gates': LOGIN + GATE + GATE,
    'a gate in the content of another, and a hidden login element': `<latchkey-gate>${GATE}</latchkey-gate><div hidden>${LOGIN}</div>`,
  })) {
    it(`belongs to one of ${name} in every state, and they update a few times only`, async () => {
      const { elements, settle, change } = await show(loginStates['signed out'], markup);
      let updates = 0;
      for (const element of elements) {
        const { requestUpdate } = element;
        element.requestUpdate = (...change) => {
          updates += 1;
          // Without this limit, elements that take the panel from each other would hang the browser.
          if (updates < 100) requestUpdate.apply(element, change);
        };
      }
      for (const state of Object.keys(loginStates) as (keyof typeof loginStates)[]) {
        updates = 0;
        await change(state);
        for (const element of elements) element.requestUpdate();
        await settle();
        expect(updates, state).to.be.below(20);
        expect(
          elements.some(({ isUpdatePending }) => isUpdatePending),
          state,
        ).to.equal(false);
      }
    });
  }

  it('is left to a gate in an error that returns to the page', async () => {
    const { elements, panels, change, settle } = await show(loginStates['signed out'], LOGIN_AND_GATE);
    await change('check failed');
    const [, gate] = elements;
    gate?.remove();
    elements[0]?.requestUpdate();
    await settle();
    expect(panels()).to.deep.equal([true]);
    document.body.append(gate as Node);
    await settle();
    expect(panels()).to.deep.equal([false]);
  });

  it('opens one menu at a time', async () => {
    const { panels, click } = await show(loginStates['signed in'], TWO_LOGINS);
    await click(0);
    expect(panels()).to.deep.equal([true, false]);
    await click(1);
    expect(panels()).to.deep.equal([false, true]);
  });

  it('announces the user once', async () => {
    const { statuses } = await show(loginStates['signed in'], TWO_LOGINS);
    expect(statuses()).to.deep.equal(['Signed in as ada@example.com', '']);
  });

  it('is left to a gate that shows the failed check, and returns with the next state', async () => {
    const { elements, panels, change } = await show(loginStates['signed out'], LOGIN_AND_GATE);
    await change('check failed');
    expect(panels()).to.deep.equal([false]);
    expect(elements[1]?.shadowRoot?.querySelector('[role=status]')?.textContent).to.equal(en.gate.error);
    await change('signed out');
    await change('declined');
    expect(panels()).to.deep.equal([true, false]);
  });

  it('belongs to each session alone', async () => {
    const first = await show(loginStates['popup blocked'], '<latchkey-login></latchkey-login>');
    const second = await show(loginStates['popup blocked'], '<latchkey-login></latchkey-login>');
    expect([first.panels(), second.panels()]).to.deep.equal([[true], [true]]);
  });

  it('is left to a purchase that signs in, and returns with the next state', async () => {
    const { session, statuses, panels, change, settle } = await show(
      loginStates['signed out'],
      '<latchkey-login></latchkey-login>',
    );
    const join = document.createElement('latchkey-join');
    Object.assign(join, { backend: '/kit/shop', plan: 'plan-down', session });
    document.body.prepend(join);
    await settle();
    await join.updateComplete;
    const status = () => join.shadowRoot?.querySelector('[role=status]')?.textContent;
    join.shadowRoot?.querySelector('button')?.click();
    for (const [name, text] of [
      ['waiting', en.waiting],
      ['popup closed', en.failures.popup_closed],
    ] as const) {
      await change(name);
      await join.updateComplete;
      expect([status(), statuses()]).to.deep.equal([text, ['']]);
      expect(panels()).to.deep.equal([false]);
    }
    for (const name of ['opening', 'waiting'] as const) await change(name);
    expect([status(), statuses()]).to.deep.equal(['', [en.waiting]]);
    expect(panels()).to.deep.equal([true]);
    await change('signed out');
    join.shadowRoot?.querySelector('button')?.click();
    await change('waiting');
    expect(panels()).to.deep.equal([false]);
    await change('signed in');
    await change('expired');
    expect(statuses()).to.deep.equal([en.expired]);
    expect(panels()).to.deep.equal([true]);
  });
});

for (const name of Object.keys(loginStates) as (keyof typeof loginStates)[]) {
  it(`elements that have left the page take the panel from nobody when ${name}`, async () => {
    const { elements, settle } = await show(loginStates[name], LOGIN_AND_GATE);
    document.body.replaceChildren();
    for (const element of elements) element.requestUpdate();
    // Two that took it from each other would never settle.
    await settle();
    for (const element of elements) expect(element.isUpdatePending).to.equal(false);
  });
}
