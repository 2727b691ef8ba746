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
    expect(rows()).to.deep.equal([en.manageAccount, en.signOut]);
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
    expect(without.rows()).to.deep.equal([en.signOut]);
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

  it('has the limit in a sticky header, also one in the shadow of a component that contains the element', async () => {
    const { login, panel } = await openAt({ position: 'absolute', top: '45vh' });
    expect(panel.scrollHeight).to.be.at.most(panel.clientHeight);
    const component = document.body.appendChild(document.createElement('div'));
    component.attachShadow({ mode: 'open' }).innerHTML =
      '<header style="position: sticky; top: 0"><slot></slot></header>';
    component.append(login);
    login.requestUpdate();
    await login.updateComplete;
    expect(panel.scrollHeight).to.be.above(panel.clientHeight);
  });

  it('has no limit where it fits, where the page scrolls to it, and in the flow of a page', async () => {
    for (const place of [{ top: '0' }, { position: 'absolute', top: '70vh' }]) {
      const { panel, login, main, box } = await openAt(place);
      expect(panel.scrollHeight).to.be.at.most(panel.clientHeight);
      expect(box(panel).top).to.be.above(box(main).bottom);
      login.remove();
    }
    const style = document.body.appendChild(document.createElement('style'));
    style.textContent = 'latchkey-login::part(panel) { position: relative; inset: auto; }';
    const { panel } = await openAt({ top: '45vh' });
    expect(panel.scrollHeight).to.be.at.most(panel.clientHeight);
  });
});
