import { expect } from 'chai';
import '../define.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import { setScriptOrigin } from '../browser/addresses.js';
import { en } from '../messages/en.js';
import { ja } from '../messages/ja.js';
import type { Membership, SessionSnapshot } from '../session/index.js';
import { loginStates } from '../testing.js';

const [community, course] = loginStates['signed in'].memberships;

afterEach(() => {
  document.body.replaceChildren();
  setScriptOrigin('');
});

/** Shows the open menu of a user with these memberships. */
async function open(memberships: readonly Membership[], attributes: Record<string, string> = {}) {
  const login = document.createElement('latchkey-login');
  for (const [name, value] of Object.entries(attributes)) login.setAttribute(name, value);
  login.session = createStubSession({ ...loginStates['signed in'], memberships } as SessionSnapshot).session;
  document.body.append(login);
  await login.updateComplete;
  const root = login.shadowRoot as ShadowRoot;
  root.querySelector('button')?.click();
  await login.updateComplete;
  const text = (element: Element) => element.textContent?.trim().replace(/\s+/g, ' ');
  return {
    login,
    root,
    lines: () => [...root.querySelectorAll('li')].map(text),
    rows: () => [...root.querySelectorAll('.row')].map(text),
    link: () => root.querySelector<HTMLAnchorElement>('a.row'),
  };
}

describe('the memberships in the account menu', () => {
  it('have the name of their product type and their expiry', async () => {
    const { lines } = await open([
      { ...community, validUntil: '2030-03-04T12:00:00.000Z' },
      { ...community, productType: 'something_new' },
    ]);
    expect(lines()).to.deep.equal(['Community membership until Mar 4, 2030', 'Membership Lifetime']);
    const { lines: none } = await open([]);
    expect(none()).to.deep.equal([en.noMemberships]);
  });

  it('have the names of the attribute, the most specific first', async () => {
    const all = {
      [community.pricingPlanId]: 'Yearly seat',
      [community.communityId]: 'The Roaster’s Table',
      [course.productId]: 'Brew guide',
      community: 'A club',
      digital_product: 'Something bought',
    };
    const names = JSON.stringify(all);
    const { lines } = await open([community, course], { 'membership-names': names });
    expect(lines()).to.deep.equal(['Yearly seat Lifetime', 'Brew guide until Mar 31, 2031']);
    const plain = {
      id: '1',
      productType: 'community',
      isActive: true,
      validFrom: community.validFrom,
    } as const;
    const bare = await open([plain, { ...plain, communityId: community.communityId }], {
      'membership-names': names,
    });
    expect(bare.lines()).to.deep.equal(['A club Lifetime', 'The Roaster’s Table Lifetime']);
  });

  it('have the name that the backend sends, unless the attribute names them', async () => {
    const named = { ...community, name: 'The Table' };
    const { lines, login, root } = await open([named]);
    expect(lines()).to.deep.equal(['The Table Lifetime']);
    login.membershipNames = { [community.communityId]: 'Club <b>' };
    await login.updateComplete;
    expect(lines()).to.deep.equal(['Club <b> Lifetime']);
    expect(root.querySelector('li b')).to.equal(null);
  });

  it('begin where the menu begins, also a Latin name on a page from right to left', async () => {
    for (const dir of ['ltr', 'rtl']) {
      const { login, root } = await open([{ ...community, name: 'The Table' }]);
      login.dir = dir;
      const line = root.querySelector('li')?.getBoundingClientRect();
      const name = root.querySelector('li span')?.getBoundingClientRect();
      const edge = dir === 'ltr' ? 'left' : 'right';
      expect(Math.abs((name?.[edge] ?? 0) - (line?.[edge] ?? 99))).to.be.below(1);
    }
  });

  it('ignore names that are not JSON', async () => {
    const { lines } = await open([community], { 'membership-names': '{oops' });
    expect(lines()).to.deep.equal(['Community membership Lifetime']);
  });
});

describe('the rows of the account menu', () => {
  it('are the account page of the site and the sign-out', async () => {
    const { rows, link, login } = await open([community], { 'account-url': '/account' });
    expect(rows()).to.deep.equal([en.manageAccount, en.switchAccount, en.signOut]);
    expect(link()?.pathname).to.equal('/account');
    expect(link()?.target).to.equal('');
    await expectAccessible(login);
  });

  it('link to the account page of the service if the script came from there, in another tab', async () => {
    const { link } = await open([community]);
    expect(link()).to.equal(null);
    setScriptOrigin('https://service.example');
    const served = await open([community]);
    expect(served.link()?.href).to.equal('https://service.example/account');
    expect(served.link()?.target).to.equal('_blank');
    const another = await open([community], { 'service-url': 'https://another.example' });
    expect(another.link()).to.equal(null);
    const without = await open([community], { 'account-url': '' });
    expect(without.rows()).to.deep.equal([en.switchAccount, en.signOut]);
  });

  it('are at least 40 px high', async () => {
    const { root } = await open([community], { 'account-url': '/account' });
    for (const row of root.querySelectorAll('.row')) {
      expect(row.getBoundingClientRect().height).to.be.at.least(40);
    }
  });
});

describe('the header of the account menu', () => {
  it('shows the initial and the address, wherever a language puts the name', async () => {
    const { login, root } = await open([community]);
    const head = () => root.querySelector('.head') as Element;
    expect(head().querySelector('.initial')?.textContent).to.equal('a');
    expect(head().querySelector('b')?.textContent).to.equal('ada@example.com');
    expect(head().querySelector('[role=status]')?.textContent).to.equal(en.signedInAs('ada@example.com'));
    login.lang = 'ja';
    const japanese = ja.signedInAs('ada@example.com');
    await until('Japanese', () => head().querySelector('[role=status]')?.textContent === japanese);
    expect(head().querySelector('b')?.textContent).to.equal('ada@example.com');
  });
});

describe('label of the button', () => {
  async function labelWith(content: string): Promise<string> {
    const login = document.createElement('latchkey-login');
    login.innerHTML = content;
    login.session = createStubSession(loginStates['signed out']).session;
    document.body.append(login);
    await login.updateComplete;
    const slot = login.shadowRoot?.querySelector<HTMLSlotElement>('.text slot');
    const nodes = slot?.assignedNodes({ flatten: true }) ?? [];
    return nodes
      .map(({ textContent }) => textContent)
      .join('')
      .trim();
  }

  it('is the text of the messages although the element contains rows of the menu on lines of their own', async () => {
    expect(await labelWith('\n  <a slot="menu" href="/orders">Orders</a>\n')).to.equal(en.signIn);
  });

  it('is the content of the element', async () => {
    expect(await labelWith('\n  Enter the club\n')).to.equal('Enter the club');
    expect(await labelWith('<b>Enter</b><a slot="menu" href="/orders">Orders</a>')).to.equal('Enter');
  });
});

describe('the account menu in a low window', () => {
  const many = Array.from({ length: 8 }, () => community);

  /** Opens a long menu of an element at this place of the window. */
  async function openAt(place: Partial<CSSStyleDeclaration>) {
    const { login, root } = await open(many, { 'account-url': '/account' });
    Object.assign(login.style, { position: 'fixed', ...place });
    login.requestUpdate();
    await login.updateComplete;
    const panel = root.querySelector('[part=panel]') as HTMLElement;
    const signOut = [...root.querySelectorAll('button')].at(-1) as HTMLElement;
    const box = (element: Element) => element.getBoundingClientRect();
    return { login, panel, signOut, box, main: root.querySelector('button') as HTMLElement };
  }

  for (const [where, place] of [
    ['below', { top: '45vh' }],
    ['above', { bottom: '40vh' }],
  ] as const) {
    it(`is ${where} its button, where the room is, and as high as the room`, async () => {
      const { panel, main, signOut, box } = await openAt(place);
      const { top, bottom } = box(panel);
      expect(top).to.be.at.least(0);
      expect(bottom).to.be.at.most(innerHeight);
      if (where === 'below') expect(top).to.be.above(box(main).bottom);
      else expect(bottom).to.be.below(box(main).top);
      panel.scrollTop = 0;
      signOut.focus();
      expect(box(signOut).bottom).to.be.at.most(bottom);
      expect(box(signOut).top).to.be.at.least(top);
    });
  }

  it('keeps its place in the menu when the element updates, and follows the height of the window', async () => {
    const { login, panel, box } = await openAt({ top: '70vh' });
    Object.assign(login.style, { top: '45vh' });
    dispatchEvent(new Event('resize'));
    await login.updateComplete;
    expect(box(panel).top).to.be.above(box(login).bottom);
    panel.scrollTop = 20;
    login.requestUpdate();
    await login.updateComplete;
    expect(panel.scrollTop).to.equal(20);
  });

  it('has no limit where it fits, and in the flow of a page', async () => {
    const { panel, login, main, box } = await openAt({ top: '0' });
    expect(panel.scrollHeight).to.be.at.most(panel.clientHeight);
    expect(box(panel).top).to.be.above(box(main).bottom);
    login.remove();
    const style = document.body.appendChild(document.createElement('style'));
    style.textContent = 'latchkey-login::part(panel) { position: relative; inset: auto; }';
    const inFlow = await openAt({ top: '45vh' });
    expect(inFlow.panel.scrollHeight).to.be.at.most(inFlow.panel.clientHeight);
  });
});

describe('the panel in a page that would cut it off', () => {
  /** Asks the browser what a visitor sees in the corners and the middle of an element. */
  const isWhole = (panel: HTMLElement, login: Element) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const xs = [left + 6, (left + right) / 2, right - 6];
    const ys = [top + 6, (top + bottom) / 2, bottom - 6];
    const seen = xs.flatMap((x) => ys.map((y) => document.elementFromPoint(x, y)));
    return seen.every((element) => element === login);
  };

  const wrappers = {
    'with overflow: hidden': 'overflow: hidden',
    'with contain: paint': 'contain: paint',
    'with contain: strict': 'contain: strict; height: 60px; width: 100%',
    'with a transform': 'transform: translateY(3px); overflow: clip',
    'with a filter': 'filter: blur(0); overflow: hidden',
    'with container-type: size': 'container-type: size; height: 60px; overflow: hidden',
    'with will-change': 'will-change: transform; overflow: hidden',
    'with a clip-path': 'clip-path: inset(0)',
    'that is enlarged': 'zoom: 1.5; overflow: hidden',
    'that is reduced': 'zoom: 0.6; overflow: hidden',
    'that scrolls': 'overflow: auto; height: 60px',
    'from right to left': 'overflow: hidden; direction: rtl',
    'that is sticky, below a higher layer': 'position: sticky; top: 0; z-index: 1; overflow: hidden',
  };
  const cover = '<div style="position: relative; z-index: 9999; height: 400px; background: white"></div>';

  for (const [name, style] of Object.entries(wrappers)) {
    for (const snapshot of ['signed in', 'popup blocked'] as const) {
      it(`is whole in a header ${name}, when ${snapshot}`, async () => {
        document.body.innerHTML = `<header style="${style}"><i></i></header>${cover}`;
        const login = document.createElement('latchkey-login');
        login.session = createStubSession(loginStates[snapshot]).session;
        document.querySelector('i')?.replaceWith(login);
        await login.updateComplete;
        const root = login.shadowRoot as ShadowRoot;
        if (snapshot === 'signed in') root.querySelector('button')?.click();
        await login.updateComplete;
        const panel = root.querySelector('[part=panel]') as HTMLElement;
        expect(isWhole(panel, login)).to.equal(true);
        const { bottom, left, right } = login.getBoundingClientRect();
        const box = panel.getBoundingClientRect();
        expect(Math.abs(box.top - bottom - 8)).to.be.below(1);
        expect(Math.min(Math.abs(box.left - left), Math.abs(box.right - right))).to.be.below(1);
      });
    }
  }

  it('follows its button when the page or a part of it scrolls, and when the button moves elsewhere', async () => {
    document.body.innerHTML = `<main style="overflow: auto; height: 200px"><i></i><p style="height: 2000px"></p></main>
      <p style="height: 3000px"></p>`;
    const { login, root } = await open([community]);
    const scroller = document.querySelector('main') as HTMLElement;
    document.querySelector('i')?.replaceWith(login);
    await login.updateComplete;
    const panel = root.querySelector('[part=panel]') as HTMLElement;
    const gap = () => Math.round(panel.getBoundingClientRect().top - login.getBoundingClientRect().bottom);
    expect(gap()).to.equal(8);
    scroller.scrollTop = 20;
    await until('the place', () => login.getBoundingClientRect().top < 10 && gap() === 8);
    scrollTo(0, 15);
    await until('the place', () => gap() === 8);
    scrollTo(0, 0);
    document.body.prepend(login);
    await login.updateComplete;
    expect(gap()).to.equal(8);
    expect(panel.matches(':popover-open')).to.equal(true);
  });

  it('follows its button when the page above it grows', async () => {
    document.body.innerHTML = '<p></p><i></i>';
    const { login, root } = await open([community]);
    document.querySelector('i')?.replaceWith(login);
    await login.updateComplete;
    const panel = root.querySelector('[part=panel]') as HTMLElement;
    const gap = () => Math.round(panel.getBoundingClientRect().top - login.getBoundingClientRect().bottom);
    Object.assign(document.querySelector('p')?.style ?? {}, { height: '60px' });
    expect(gap()).to.be.below(8);
    await until('the place', () => gap() === 8);
  });

  it('stays below a button outside of the window, and covers nothing of what the visitor sees', async () => {
    const { login, root } = await open([community]);
    Object.assign(login.style, { position: 'absolute', top: '120vh' });
    login.requestUpdate();
    await login.updateComplete;
    const panel = root.querySelector('[part=panel]') as HTMLElement;
    expect(panel.getBoundingClientRect().top).to.be.above(login.getBoundingClientRect().bottom);
    expect(panel.scrollHeight).to.be.at.most(panel.clientHeight);
  });

  it('closes with Escape, and leaves the focus on its button', async () => {
    document.body.innerHTML = '<header style="overflow: hidden"><i></i></header>';
    const { login, root } = await open([community]);
    document.querySelector('i')?.replaceWith(login);
    await login.updateComplete;
    const signOut = [...root.querySelectorAll<HTMLElement>('.row')].at(-1);
    signOut?.focus();
    expect(root.activeElement).to.equal(signOut);
    const press = new KeyboardEvent('keydown', {
      key: 'Escape',
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    signOut?.dispatchEvent(press);
    await login.updateComplete;
    expect(root.querySelector(':popover-open')).to.equal(null);
    expect(root.activeElement).to.equal(root.querySelector('[part=button]'));
    expect(press.defaultPrevented).to.equal(true);
  });

  it('keeps its live region in the page while it is hidden', async () => {
    const { login, root } = await open([community]);
    root.querySelector('button')?.click();
    await login.updateComplete;
    expect(root.querySelector(':popover-open')).to.equal(null);
    expect(root.querySelector('[role=status]')?.checkVisibility()).to.equal(true);
  });
});
