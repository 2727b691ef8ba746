import { expect } from 'chai';
import '../define.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { en } from '../messages/en.js';
import type { SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

const states = Object.entries<SessionSnapshot>(loginStates);

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.style.colorScheme = '';
});

async function show(snapshot: SessionSnapshot, attributes: Record<string, string> = {}) {
  const stub = createStubSession(snapshot);
  const login = document.createElement('latchkey-login');
  for (const [name, value] of Object.entries(attributes)) login.setAttribute(name, value);
  login.session = stub.session;
  document.body.append(login);
  await login.updateComplete;
  const root = login.shadowRoot as ShadowRoot;
  const buttons = () => [...root.querySelectorAll('button')];
  return {
    ...stub,
    login,
    root,
    labels: () => buttons().map((button) => button.textContent?.trim().replace(/\s+/g, ' ')),
    status: () => root.querySelector('[role=status]')?.textContent,
    panel: () => root.querySelector('[part=panel]'),
    async click(label: string) {
      const button = buttons().find((candidate) => candidate.textContent?.includes(label));
      if (!button) throw new Error(`No button says ${label}.`);
      button.focus();
      button.click();
      await login.updateComplete;
    },
    async change(name: keyof typeof loginStates) {
      stub.become(loginStates[name]);
      await login.updateComplete;
    },
  };
}

describe('<latchkey-login>', () => {
  for (const scheme of ['light', 'dark']) {
    for (const [name, snapshot] of states) {
      it(`is accessible in ${scheme} when ${name}`, async () => {
        document.documentElement.style.colorScheme = scheme;
        document.body.style.background = 'canvas';
        const { login, root } = await show(snapshot);
        await expectAccessible(login);
        if (snapshot.signedIn) {
          root.querySelector('button')?.click();
          await login.updateComplete;
          await expectAccessible(login);
        }
      });
    }
  }

  for (const [name, text, buttons] of [
    ['checking', '', ['Sign in']],
    ['signed out', '', ['Sign in']],
    ['opening', en.opening, ['Sign in', 'Cancel']],
    ['waiting', en.waiting, ['Sign in', 'Show the window', 'Cancel']],
    ['exchanging', en.exchanging, ['Sign in', 'Cancel']],
    ['expired', en.expired, ['Sign in', 'Sign in again', 'Dismiss']],
    ['signed in', 'Signed in as ada@example.com', ['a ada@example.com']],
    ['signed in without e-mail or membership', 'You are signed in', ['Y Your account']],
    [
      'signed in, sign-out failed',
      `${en.stillSignedIn} ${en.failures.network}`,
      ['a ada@example.com', 'Try again', 'Dismiss'],
    ],
    ['popup blocked', en.failures.popup_blocked, ['Sign in', 'Try again', 'Dismiss']],
    ['popup closed', en.failures.popup_closed, ['Sign in', 'Try again', 'Dismiss']],
    ['declined', en.failures.access_denied, ['Sign in', 'Try again', 'Dismiss']],
    ['code expired', en.failures.code_expired, ['Sign in', 'Try again', 'Dismiss']],
    ['no connection', en.failures.network, ['Sign in', 'Try again', 'Dismiss']],
    ['service error', en.failures.service_error, ['Sign in', 'Try again', 'Dismiss']],
    ['opener severed', en.failures.opener_severed, ['Sign in', 'Dismiss']],
    ['origin refused', en.failures.origin_refused, ['Sign in', 'Dismiss']],
    ['insecure page', en.failures.insecure_context, ['Sign in', 'Dismiss']],
    ['misconfigured', en.failures.misconfigured, ['Sign in', 'Dismiss']],
    ['check failed', en.failures.network, ['Sign in', 'Try again', 'Dismiss']],
  ] as const) {
    it(`shows the state and the next step when ${name}`, async () => {
      const { status, labels } = await show(loginStates[name]);
      expect(status()).to.equal(text);
      expect(labels()).to.deep.equal(buttons);
    });
  }

  for (const [name, code] of [
    ['opener severed', 'opener_severed'],
    ['origin refused', 'origin_refused'],
    ['insecure page', 'insecure_context'],
    ['misconfigured', 'misconfigured'],
    ['popup blocked', undefined],
    ['declined', undefined],
  ] as const) {
    it(`${code ? 'shows the owner of the site a code' : 'shows no code'} when ${name}`, async () => {
      const { panel } = await show(loginStates[name]);
      const text = panel()?.textContent ?? '';
      if (code) expect(text).to.contain(`Error code: ${code}`);
      else expect(text).not.to.contain('code');
    });
  }

  for (const [name, mark, isCalm] of [
    ['declined', 'i', true],
    ['popup closed', 'i', true],
    ['no connection', '!', false],
    ['popup blocked', '!', false],
  ] as const) {
    it(`${isCalm ? 'shows a choice without alarm' : 'marks a failure'} when ${name}`, async () => {
      const { root } = await show(loginStates[name]);
      const background = getComputedStyle(root.querySelector('.mark') as Element).backgroundColor;
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = isCalm ? '#586171' : '#b42318';
      expect(background).to.equal(getComputedStyle(probe).color);
      expect(root.querySelector('.mark')?.textContent).to.equal(mark);
      const retry = getComputedStyle(root.querySelector('.actions button') as Element);
      expect(retry.backgroundColor === 'rgba(0, 0, 0, 0)').to.equal(isCalm);
    });
  }

  it('announces changes through one permanent live region', async () => {
    const { root, change } = await show(loginStates['signed out']);
    const region = root.querySelector('[role=status]');
    for (const name of ['waiting', 'declined', 'signed in', 'expired'] as const) {
      await change(name);
      expect(root.querySelector('[role=status]')).to.equal(region);
      expect(region?.textContent).not.to.equal('');
    }
  });

  for (const [name, label, call] of [
    ['signed out', 'Sign in', 'signIn'],
    ['waiting', 'Show the window', 'signIn'],
    ['waiting', 'Cancel', 'cancel'],
    ['exchanging', 'Cancel', 'cancel'],
    ['expired', 'Sign in again', 'signIn'],
    ['popup closed', 'Try again', 'signIn'],
    ['popup closed', 'Dismiss', 'cancel'],
    ['check failed', 'Try again', 'refresh'],
    ['signed in, sign-out failed', 'Try again', 'signOut'],
  ] as const) {
    it(`when ${name}: the button ${label} asks the session to ${call}`, async () => {
      const { click, calls } = await show(loginStates[name]);
      await click(label);
      expect(calls).to.deep.equal([call]);
    });
  }

  it('keeps the focus when the focused control disappears', async () => {
    const { click, change, root } = await show(loginStates.waiting);
    await click('Cancel');
    await change('signed out');
    expect(root.activeElement?.textContent).to.contain('Sign in');
    await change('signed in');
    expect(root.activeElement?.textContent).to.contain('ada@example.com');
  });

  it('leaves the focus alone when it is elsewhere on the page', async () => {
    const { change } = await show(loginStates['signed out']);
    const input = document.createElement('input');
    document.body.append(input);
    input.focus();
    await change('signed in');
    expect(document.activeElement).to.equal(input);
  });

  it('focuses its main button when it is asked to', async () => {
    const { login, root } = await show(loginStates['signed out']);
    login.focus();
    expect(root.activeElement).to.equal(root.querySelector('[part=button]'));
  });

  it('is large enough for fingers: every button has at least 24 pixels', async () => {
    for (const [, snapshot] of states) {
      const { root, login } = await show(snapshot);
      for (const button of root.querySelectorAll('button')) {
        const { width, height } = button.getBoundingClientRect();
        expect(Math.min(width, height)).to.be.at.least(24);
      }
      login.remove();
    }
  });

  it('stays inside a narrow window', async () => {
    const { root, login } = await show(loginStates['popup blocked']);
    login.style.marginInlineStart = `${document.documentElement.clientWidth - 120}px`;
    login.requestUpdate();
    await login.updateComplete;
    const { left, right } = (root.querySelector('[part=panel]') as Element).getBoundingClientRect();
    expect(left).to.be.at.least(0);
    expect(right).to.be.at.most(document.documentElement.clientWidth);
  });

  it('shows its label or its content', async () => {
    const { login, labels } = await show(loginStates['signed out'], { label: 'Members’ entrance' });
    expect(labels()).to.deep.equal(['Members’ entrance']);
    login.label = null;
    await login.updateComplete;
    expect(labels()).to.deep.equal(['Sign in']);
  });

  it('shows content that is added, changed or removed later, as while the page is parsed', async () => {
    const { login, root } = await show(loginStates['signed out']);
    const label = () => {
      const slot = root.querySelector<HTMLSlotElement>('.text slot');
      const nodes = slot?.assignedNodes({ flatten: true }) ?? [];
      return nodes.map(({ textContent }) => textContent?.trim()).join('');
    };
    expect(label()).to.equal('Sign in');
    const text = document.createTextNode('\n');
    login.append(text);
    await until('whitespace only', () => label() === 'Sign in');
    text.data = 'Join us';
    await until('changed', () => label() === 'Join us');
    const name = document.createElement('b');
    text.replaceWith(name);
    name.textContent = 'Members';
    await until('replaced', () => label() === 'Members');
    name.slot = 'menu';
    await until('moved to the menu', () => label() === 'Sign in');
    name.slot = '';
    await until('moved back', () => label() === 'Members');
    name.remove();
    await until('removed', () => label() === 'Sign in');
  });

  it('uses no style attribute in its markup, so that a strict policy needs no exception', async () => {
    for (const [, snapshot] of states) {
      const { root, login } = await show(snapshot);
      expect(root.querySelectorAll('[style]:not(.panel)')).to.have.length(0);
      expect(root.querySelectorAll('style')).to.have.length(0);
      login.remove();
    }
  });
});

describe('the account menu', () => {
  it('closes when the page assigns a session that is signed out', async () => {
    const { login, click, labels } = await show(loginStates['signed in']);
    await click('ada@example.com');
    login.session = createStubSession(loginStates['signed out']).session;
    await login.updateComplete;
    expect(labels()).to.deep.equal([en.signIn]);
  });

  it('begins a long e-mail address at its beginning, also on a page from right to left', async () => {
    const { login, root } = await show(loginStates['signed in']);
    const box = (part: string) => (root.querySelector(part) as Element).getBoundingClientRect();
    expect(getComputedStyle(root.querySelector('.name') as Element).direction).to.equal('ltr');
    expect(box('.name').left - box('.initial').right).to.be.within(0, 12);
    login.dir = 'rtl';
    expect(getComputedStyle(root.querySelector('.name') as Element).direction).to.equal('ltr');
    expect(box('.initial').left - box('.name').right).to.be.within(0, 12);
    expect(box('.chevron').left).to.be.below(box('.name').left);
  });

  it('opens and closes, and exposes its state', async () => {
    const { root, click, panel } = await show(loginStates['signed in']);
    const button = root.querySelector('button');
    expect(panel()).to.equal(null);
    expect(button?.getAttribute('aria-expanded')).to.equal('false');
    await click('ada@example.com');
    expect(panel()?.textContent).to.contain('Community membership');
    expect(button?.getAttribute('aria-expanded')).to.equal('true');
    await click('ada@example.com');
    expect(panel()).to.equal(null);
  });

  it('closes on Escape and returns the focus to its button', async () => {
    const { root, click, panel, login, calls } = await show(loginStates['signed in']);
    await click('ada@example.com');
    const signOut = [...root.querySelectorAll('button')].at(-1);
    signOut?.focus();
    signOut?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await login.updateComplete;
    expect(panel()).to.equal(null);
    expect(root.activeElement?.getAttribute('part')).to.equal('button');
    expect(calls).to.deep.equal([]);
  });

  it('keeps a dialog around it open while Escape closes something of its own', async () => {
    const { root, click, login, session, become } = await show(loginStates['signed in']);
    session.cancel = () => {
      if (session.snapshot.status === 'waiting') become(loginStates['signed out']);
    };
    const pressEscape = async () => {
      const event = new KeyboardEvent('keydown', {
        key: 'Escape',
        bubbles: true,
        composed: true,
        cancelable: true,
      });
      root.querySelector('button')?.dispatchEvent(event);
      await login.updateComplete;
      return event.defaultPrevented;
    };
    expect(await pressEscape()).to.equal(false);
    await click('ada@example.com');
    expect(await pressEscape()).to.equal(true);
    expect(await pressEscape()).to.equal(false);
    become(loginStates.waiting);
    expect(await pressEscape()).to.equal(true);
    expect(await pressEscape()).to.equal(false);
  });

  it('closes when the visitor clicks or moves elsewhere', async () => {
    const { click, panel, login } = await show(loginStates['signed in']);
    for (const leave of [
      () => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true })),
      () => document.body.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true })),
    ]) {
      await click('ada@example.com');
      expect(panel()).not.to.equal(null);
      leave();
      await login.updateComplete;
      expect(panel()).to.equal(null);
    }
  });

  it('shows the page’s own entries, and signs out', async () => {
    const { login, root, click, calls } = await show(loginStates['signed in']);
    const link = document.createElement('a');
    link.slot = 'menu';
    link.href = '/account';
    link.textContent = 'Account';
    login.append(link);
    await click('ada@example.com');
    expect(root.querySelector<HTMLSlotElement>('slot[name=menu]')?.assignedElements()).to.deep.equal([link]);
    await click('Sign out');
    expect(calls).to.deep.equal(['signOut']);
  });
});

describe('the events of <latchkey-login>', () => {
  const NAMES = [
    'latchkey-change',
    'latchkey-signed-in',
    'latchkey-signed-out',
    'latchkey-expired',
    'latchkey-error',
  ] as const;

  async function listen(snapshot: SessionSnapshot) {
    const seen: [string, unknown][] = [];
    const controller = new AbortController();
    for (const name of NAMES) {
      document.addEventListener(name, (event) => seen.push([name, event.detail]), {
        signal: controller.signal,
      });
    }
    const world = await show(snapshot);
    return { ...world, seen, stop: () => controller.abort() };
  }

  for (const [from, to, expected] of [
    ['exchanging', 'signed in', ['latchkey-change', 'latchkey-signed-in']],
    ['signed in', 'signed out', ['latchkey-change', 'latchkey-signed-out']],
    ['signed in', 'expired', ['latchkey-change', 'latchkey-expired']],
    ['checking', 'expired', ['latchkey-change', 'latchkey-expired']],
    ['waiting', 'popup closed', ['latchkey-change', 'latchkey-error']],
    ['waiting', 'signed out', ['latchkey-change']],
    ['signed in', 'signed in, sign-out failed', ['latchkey-change', 'latchkey-error']],
    ['signed in', 'signed in without e-mail or membership', ['latchkey-change']],
  ] as const) {
    it(`reach the document when ${from} becomes ${to}: ${expected.join(', ')}`, async () => {
      const { seen, change, stop } = await listen(loginStates[from]);
      expect(seen).to.deep.equal([]);
      await change(to);
      stop();
      const snapshot: SessionSnapshot = loginStates[to];
      expect(seen).to.deep.equal(
        expected.map((name) => [name, name === 'latchkey-error' ? snapshot.failure : snapshot]),
      );
    });
  }

  it('stop when the element is removed from the page', async () => {
    const { login, seen, become, listeners, stop } = await listen(loginStates.waiting);
    login.remove();
    expect(listeners.size).to.equal(0);
    become(loginStates['signed in']);
    stop();
    expect(seen).to.deep.equal([]);
  });
});
