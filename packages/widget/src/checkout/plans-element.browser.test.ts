import { expect } from 'chai';
import '../define.js';
import { en } from '../messages/en.js';
import { plansEn } from '../messages/plans-en.js';
import '../plans.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { BASE_HINT, withBaseOfAnotherSite } from '../../test/support/base-of-another-site.js';
import { createStubSession } from '../../test/support/stub-session.js';
import { until } from '../../test/support/until.js';
import type { SessionSnapshot } from '../session/index.js';
import type { CheckoutFailure } from '../state/checkout-state.js';
import { createStillCheckout, createStillSession, loginStates, planOwner, plansStates } from '../testing.js';

const frames: HTMLIFrameElement[] = [];

afterEach(async () => {
  document.body.replaceChildren();
  // A removed element ends its purchase in a microtask. Mocha starts the next test before it.
  await Promise.resolve();
  document.documentElement.style.colorScheme = '';
  document.documentElement.lang = 'en';
  document.documentElement.dir = '';
  sessionStorage.clear();
  for (const frame of frames.splice(0)) frame.remove();
});

type Tag = 'latchkey-plans' | 'latchkey-join';

/** Places an element with the fake kit, and records the checkouts that it would leave for, and its failures. */
async function place(
  tag: Tag,
  attributes: Record<string, string>,
  snapshot: SessionSnapshot = loginStates['signed in'],
) {
  const stub = createStubSession(snapshot);
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.session = stub.session;
  const checkouts: { planId: string; checkoutUrl: string }[] = [];
  const failures: CheckoutFailure[] = [];
  element.addEventListener('latchkey-checkout', (event) => {
    event.preventDefault();
    checkouts.push(event.detail);
  });
  element.addEventListener('latchkey-checkout-error', ({ detail }) => failures.push(detail));
  document.body.append(element);
  await element.updateComplete;
  const root = element.shadowRoot as ShadowRoot;
  const buttons = () => [...root.querySelectorAll<HTMLElement>('[part=button]')];
  return { ...stub, element, root, checkouts, failures, buttons };
}

async function placePlans(attributes: Record<string, string> = {}, snapshot?: SessionSnapshot) {
  const world = await place('latchkey-plans', { backend: '/kit/shop', ...attributes }, snapshot);
  await until('plans or a reason', () => ['ready', 'empty', 'failed'].includes(world.element.state ?? ''));
  return {
    ...world,
    names: () => [...world.root.querySelectorAll('[part=name]')].map((name) => name.textContent),
  };
}

async function placeJoin(plan: string, snapshot?: SessionSnapshot, attributes: Record<string, string> = {}) {
  const world = await place('latchkey-join', { backend: '/kit/shop', plan, ...attributes }, snapshot);
  const button = () => world.buttons()[0] as HTMLElement;
  const text = () => world.root.querySelector('[role=status]')?.textContent;
  return {
    ...world,
    button,
    text,
    async buy() {
      button().click();
      await until('an end', () => world.failures.length + world.checkouts.length > 0);
      await world.element.updateComplete;
    },
  };
}

/** The page's own `fetch`, while requests are recorded. */
let originalFetch: typeof fetch | undefined;

afterEach(() => {
  if (originalFetch) window.fetch = originalFetch;
  originalFetch = undefined;
});

/** Records the requests of the page to the fake kit, until the end of the test. They still arrive there. */
function recordRequests() {
  const sent: { url: string; body: unknown }[] = [];
  const original = window.fetch;
  originalFetch = original;
  window.fetch = (input, init) => {
    sent.push({ url: String(input), body: init?.body ? JSON.parse(String(init.body)) : undefined });
    return original(input, init);
  };
  return { sent };
}

describe('<latchkey-plans>', () => {
  it('shows the plans of the backend: name, price, term, description and a button each', async () => {
    const { root, names, buttons } = await placePlans();
    expect(names()).to.deep.equal(['Name of plan-ok', 'Name of plan-second', 'Name of PLAN-other']);
    const card = root.querySelector('[part=card]');
    expect(card?.querySelector('[part=price]')?.textContent).to.equal('€9');
    expect(card?.querySelector('[part=term]')?.textContent).to.equal('per month');
    expect(card?.querySelector('[part=description]')?.textContent).to.equal('Everything for members.');
    expect(buttons().map((button) => button.textContent?.trim())).to.deep.equal(Array(3).fill('Join'));
  });

  it('shows the plans that its attributes name, in any case', async () => {
    const { element, names } = await placePlans({ community: 'c1 c7' });
    expect(names()).to.deep.equal(['Name of PLAN-other']);
    element.setAttribute('community', 'C0');
    await element.updateComplete;
    expect(names()).to.deep.equal(['Name of plan-ok', 'Name of plan-second']);
    element.setAttribute('plan', 'plan-second, plan-OTHER');
    await element.updateComplete;
    expect(names()).to.deep.equal(['Name of plan-second']);
  });

  it('requests the plans of a backend once for all elements of the page', async () => {
    const requests = recordRequests();
    await placePlans({ backend: '/kit/once' });
    await placePlans({ backend: '/kit/once' });
    expect(requests.sent.map(({ url }) => url)).to.deep.equal([`${location.origin}/kit/once/plans`]);
  });

  it('requests the plans again on reload, and shows what came', async () => {
    const { element, names } = await placePlans({ backend: '/kit/again' });
    const requests = recordRequests();
    const { fetch } = window;
    window.fetch = async (...request) => {
      await fetch(...request);
      return Response.json({ plans: [{ id: 'plan-new', name: 'New' }] });
    };
    (element as HTMLElementTagNameMap['latchkey-plans']).reload();
    await until('the new plan', () => names().join() === 'New');
    expect(requests.sent.map(({ url }) => url)).to.deep.equal([`${location.origin}/kit/again/plans`]);
    const second = await placePlans({ backend: '/kit/again' });
    expect(second.names()).to.deep.equal(['New']);
    expect(requests.sent.length).to.equal(1);
  });

  it('shows names and descriptions as text, and leaves out what is no plan', async () => {
    const { root, names } = await placePlans({ backend: '/kit/hostile' });
    expect(names()).to.deep.equal(['<img src=x onerror="window.hacked=1">', 'Name of plan-numbers']);
    expect(root.querySelectorAll('img, b').length).to.equal(0);
    expect('hacked' in window).to.equal(false);
  });

  it('says that there are no plans', async () => {
    const { root } = await placePlans({ backend: '/kit/empty' });
    expect(root.querySelector('[role=status]')?.textContent).to.contain(plansEn.empty);
    const filtered = await placePlans({ plan: 'another' });
    expect(filtered.element.state).to.equal('empty');
  });

  for (const [backend, code] of [
    ['/kit/down', 'plans_unavailable'],
    ['/kit/strange', 'plans_unavailable'],
    ['/kit/missing', 'misconfigured'],
    ['https://elsewhere.example/auth', 'misconfigured'],
    ['//elsewhere.example/auth', 'misconfigured'],
    ['', 'misconfigured'],
  ] as const) {
    const isForOwner = code === 'misconfigured';
    it(`shows ${code} for the plans of "${backend}", ${isForOwner ? 'with its code' : 'with a retry'}`, async () => {
      const { sent } = recordRequests();
      // An element of the test before may still ask for its session.
      const asked = () => sent.filter(({ url }) => url.includes(`${backend}/plans`)).length;
      const { root, failures } = await placePlans({ backend });
      expect(failures.map(({ code: found, during }) => `${found} ${during}`)).to.deep.equal([`${code} load`]);
      expect(root.textContent).to.contain(plansEn.failures[code]);
      const before = asked();
      expect(before).to.equal(/^\/kit/.test(backend) ? 1 : 0);
      const retry = root.querySelector<HTMLElement>('[part=action]');
      expect(retry === null).to.equal(isForOwner);
      expect(root.textContent?.includes(`Error code: ${code}`)).to.equal(isForOwner);
      if (isForOwner) return;
      retry?.click();
      await until('a second failure', () => failures.length === 2);
      expect(asked()).to.equal(before * 2);
    });
  }

  it('names a base element that makes the backend one of another origin', async () => {
    await withBaseOfAnotherSite(async () => {
      const { failures } = await placePlans();
      expect(failures[0]?.message).to.contain(`got "/kit/shop". ${BASE_HINT}`);
      const { names } = await placePlans({ backend: `${location.origin}/kit/shop` });
      expect(names().length).to.equal(3);
    });
  });

  it('marks the plan of the user, whose button is the way in', async () => {
    const owner = {
      ...planOwner,
      memberships: planOwner.memberships.map((one) => ({ ...one, pricingPlanId: 'PLAN-second' })),
    };
    const { root, buttons, become, element } = await placePlans({ 'return-to': '/members' }, owner);
    const [card, ...others] = root.querySelectorAll('[part~=current]');
    expect(others.length).to.equal(0);
    expect(card?.querySelector('[part=name]')?.textContent).to.equal('Name of plan-second');
    expect(card?.querySelector('[part=badge]')?.textContent).to.equal(plansEn.yourPlan);
    expect(buttons()[1]?.getAttribute('href')).to.equal('/members');
    become({ status: 'signed-out', signedIn: false });
    await element.updateComplete;
    expect(root.querySelectorAll('[part~=current]').length).to.equal(0);
  });

  it('sells no plan to a member whose plan is unknown', async () => {
    const memberships = planOwner.memberships.map((one) => ({
      ...one,
      communityId: 'C1',
      pricingPlanId: null,
    }));
    const { buttons } = await placePlans({ community: 'c1' }, { ...planOwner, memberships });
    expect(buttons().length).to.be.greaterThan(0);
    for (const button of buttons())
      expect(`${button.localName} ${button.textContent}`).to.equal(`a ${plansEn.open}`);
  });

  const [MONTH, LIFE] = ['2027-01-01T00:00:00.000Z', null];
  for (const [name, ends, second] of [
    ['offers a member the other plans of the community', [MONTH], plansEn.buy],
    ['offers a member for life no other plan of the community', [LIFE], 'none'],
    ['offers a member for life no other plan beside a membership of a month', [MONTH, LIFE], 'none'],
  ] as const) {
    it(name, async () => {
      const memberships = planOwner.memberships.flatMap((one) =>
        ends.map((validUntil) => ({ ...one, communityId: 'C0', pricingPlanId: 'PLAN-ok', validUntil })),
      );
      const { root } = await placePlans({ community: 'c0' }, { ...planOwner, memberships });
      const labels = [...root.querySelectorAll('li')].map(
        (card) => card.querySelector('[part=button]')?.textContent?.trim() ?? 'none',
      );
      expect(labels).to.deep.equal([plansEn.open, second]);
    });
  }

  it('offers the plans to members of another community', async () => {
    const memberships = planOwner.memberships.map((one) => ({
      ...one,
      communityId: 'another',
      pricingPlanId: null,
    }));
    const { buttons } = await placePlans({ community: 'c1' }, { ...planOwner, memberships });
    for (const button of buttons()) expect(button.localName).to.equal('button');
  });

  for (const [what, change] of [
    ['is not known to be of this site', { isKnown: false }],
    ['has ended', { isActive: false }],
    ['is of another plan', { pricingPlanId: 'another' }],
    ['names no plan', { pricingPlanId: null }],
  ] as const) {
    it(`does not mark a plan for a membership that ${what}`, async () => {
      const memberships = planOwner.memberships.map((one) => ({
        ...one,
        pricingPlanId: 'plan-ok',
        ...change,
      }));
      const { root } = await placePlans({}, { ...planOwner, memberships });
      expect(root.querySelectorAll('[part~=current]').length).to.equal(0);
    });
  }

  it('names each button by its plan, and describes it by its status', async () => {
    const { root, buttons } = await placePlans();
    const [button] = buttons();
    const ids = button?.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const name = ids.map((id) => root.getElementById(id)?.textContent?.trim()).join(' ');
    expect(name).to.equal('Join Name of plan-ok');
    expect(root.getElementById(button?.getAttribute('aria-describedby') ?? '')?.role).to.equal('status');
  });

  it('shows the page’s content above the cards, in a card, and instead of a text', async () => {
    const { element, root } = await placePlans();
    element.innerHTML =
      '<h2>Join us</h2><ul slot="details-plan-ok"><li>A seat</li></ul><p slot="empty">Soon.</p>';
    await element.updateComplete;
    expect(element.querySelector('h2')?.checkVisibility()).to.equal(true);
    const card = root.querySelector('[part=card]');
    expect(element.querySelector('ul')?.assignedSlot?.closest('[part=card]') === card).to.equal(true);
    element.setAttribute('plan', 'none');
    await element.updateComplete;
    expect(element.querySelector('p')?.checkVisibility()).to.equal(true);
  });

  for (const dir of ['ltr', 'rtl']) {
    it(`aligns the buttons of all cards, also beside a failure, ${dir}`, async () => {
      document.documentElement.dir = dir;
      for (const state of ['plans', 'service unavailable', 'signing in'] as const) {
        const { element, buttons } = await place('latchkey-plans', { backend: '/kit/shop' });
        element.checkout = createStillCheckout(plansStates[state]);
        element.style.inlineSize = '900px';
        await element.updateComplete;
        const tops = new Set(buttons().map((button) => button.getBoundingClientRect().top));
        expect(tops.size, state).to.equal(1);
        element.remove();
      }
    });
  }

  for (const [name, snapshot] of Object.entries(plansStates)) {
    it(`is accessible and has targets of at least 24 pixels: ${name}`, async () => {
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        for (const session of [loginStates['signed out'], planOwner]) {
          const { element, root } = await place('latchkey-plans', { backend: '/kit/shop' }, session);
          element.checkout = createStillCheckout(snapshot);
          await element.updateComplete;
          await expectAccessible(element);
          for (const target of root.querySelectorAll('button, a')) {
            const { width, height } = target.getBoundingClientRect();
            expect(Math.min(width, height)).to.be.greaterThanOrEqual(24);
          }
          element.remove();
        }
      }
    });
  }
});

describe('<latchkey-join>', () => {
  it('creates the checkout of its plan and leaves for it', async () => {
    const requests = recordRequests();
    const { buy, checkouts } = await placeJoin('plan-ok', undefined, {
      'return-to': '/members?from=join#top',
    });
    await buy();
    expect(requests.sent).to.deep.equal([
      {
        url: `${location.origin}/kit/shop/checkout`,
        body: { plan: 'plan-ok', returnTo: '/members?from=join#top' },
      },
    ]);
    expect(checkouts).to.deep.equal([
      { planId: 'plan-ok', checkoutUrl: `${location.origin}/kit/shop/checkout-page?plan=plan-ok` },
    ]);
  });

  it('really leaves the page', async () => {
    const page = await openFrame();
    const join = page.document.createElement('latchkey-join');
    join.setAttribute('backend', '/kit/shop');
    join.setAttribute('plan', 'plan-ok');
    page.document.body.append(join);
    await until('a button', () => join.shadowRoot?.querySelector('button'));
    join.shadowRoot?.querySelector('button')?.click();
    await until('the checkout', () => page.frame.contentDocument?.querySelector('#address'));
    expect(page.frame.contentWindow?.location.pathname).to.equal('/kit/shop/checkout-page');
  });

  it('posts a form to the kit’s page if the e-mail address is missing', async () => {
    const page = await openFrame();
    const join = page.document.createElement('latchkey-join');
    for (const [name, value] of [
      ['backend', '/kit/shop'],
      ['plan', 'plan-email'],
      ['return-to', '/members'],
    ] as const)
      join.setAttribute(name, value);
    page.document.body.append(join);
    await until('a button', () => join.shadowRoot?.querySelector('button'));
    join.shadowRoot?.querySelector('button')?.click();
    const posted = await until('the form page', () => page.frame.contentDocument?.querySelector('#posted'));
    expect(posted.textContent).to.equal('plan=plan-email&returnTo=%2Fmembers');
  });

  it('starts one checkout for a double click', async () => {
    const requests = recordRequests();
    const { button, checkouts } = await placeJoin('plan-ok');
    button().click();
    button().click();
    await until('a checkout', () => checkouts.length > 0);
    button().click();
    await until('a second checkout', () => checkouts.length > 1);
    expect(requests.sent.length).to.equal(2);
  });

  it('is busy while the checkout opens, and other plans wait', async () => {
    const { element, root, buttons } = await place('latchkey-plans', { backend: '/kit/shop' });
    element.checkout = createStillCheckout(plansStates['opening the checkout']);
    await element.updateComplete;
    expect(buttons().map((button) => button.getAttribute('aria-busy'))).to.deep.equal([null, 'true', null]);
    expect(buttons().map((button) => button.getAttribute('aria-disabled'))).to.deep.equal([
      'true',
      null,
      'true',
    ]);
    expect(root.querySelectorAll('.spinner').length).to.equal(1);
    expect(root.querySelector('[role=status]:not(:empty)')?.textContent).to.equal(plansEn.opening);
  });

  for (const [plan, code, next] of [
    ['plan-unknown', 'plan_unknown', 'Join'],
    ['plan-refused', 'checkout_refused', 'Join'],
    ['plan-down', 'service_unavailable', 'Try again'],
    ['plan-broken', 'service_unavailable', 'Try again'],
    ['plan-script', 'service_unavailable', 'Try again'],
    ['plan-relative', 'service_unavailable', 'Try again'],
    ['plan-nothing', 'service_unavailable', 'Try again'],
    ['plan-proxy', 'misconfigured', 'Join'],
    ['plan-member', 'already_member', 'Continue'],
    ['plan-paid', 'already_paid', 'Continue'],
    ['plan-elsewhere', 'already_paid', 'Try again'],
  ] as const) {
    it(`shows ${code} for ${plan}, and "${next}" as the next step`, async () => {
      const { buy, text, button, checkouts, failures } = await placeJoin(plan);
      await buy();
      const isForOwner = next === 'Join';
      expect(text()).to.equal(plansEn.failures[code] + (isForOwner ? ` Error code: ${code}` : ''));
      expect(button().textContent?.trim()).to.equal(next);
      expect(failures.map(({ code: found }) => found)).to.deep.equal([code]);
      expect(checkouts).to.deep.equal([]);
      expect('hacked' in window).to.equal(false);
    });
  }

  it('leads a member to the page that the kit names, and looks up the membership', async () => {
    const { buy, button, calls } = await placeJoin('plan-member');
    await buy();
    expect(button().getAttribute('href')).to.equal('/members');
    expect(calls).to.deep.equal(['refresh']);
  });

  it('says that there is no connection', async () => {
    const original = window.fetch;
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    try {
      const { buy, text } = await placeJoin('plan-ok');
      await buy();
      expect(text()).to.equal(plansEn.failures.network);
    } finally {
      window.fetch = original;
    }
  });

  for (const [address, expected] of [
    ['/members', '/members'],
    ['members?a=b', undefined],
    ['https://evil.example/', undefined],
    ['//evil.example/', undefined],
    ['/\\evil.example/', undefined],
    ['javascript:alert(1)', undefined],
    ['/.//evil.example/', undefined],
  ] as const) {
    it(`${expected ? 'sends' : 'does not leave this site for'} return-to="${address}"`, async () => {
      const requests = recordRequests();
      const { buy } = await placeJoin('plan-ok', undefined, { 'return-to': address });
      await buy();
      const { returnTo } = (requests.sent[0]?.body ?? {}) as { returnTo?: string };
      const here = location.pathname + location.search + location.hash;
      const relative =
        address === 'members?a=b' ? `${new URL(address, document.baseURI).pathname}?a=b` : here;
      expect(returnTo).to.equal(expected ?? relative);
    });
  }

  it('keeps the focus on the next step', async () => {
    const { buy, button, root } = await placeJoin('plan-down');
    button().focus();
    await buy();
    expect(root.activeElement === button()).to.equal(true);
    const member = await placeJoin('plan-member');
    member.button().focus();
    await member.buy();
    expect(member.root.activeElement === member.button()).to.equal(true);
    expect(member.button().localName).to.equal('a');
  });

  it('announces through one permanent live region', async () => {
    const { buy, root } = await placeJoin('plan-down');
    const region = root.querySelector('[role=status]');
    await buy();
    expect(root.querySelector('[role=status]') === region).to.equal(true);
  });

  it('speaks the language of the page, and takes single texts of the page', async () => {
    await import('../messages/de.js');
    const { element, button } = await placeJoin('plan-ok');
    document.documentElement.lang = 'de';
    await until('German', () => button().textContent?.includes('Mitglied werden'));
    element.messages = { plans: { join: 'Dabei sein' } };
    await element.updateComplete;
    expect(button().textContent?.trim()).to.equal('Dabei sein');
  });

  it('shows its own content as the label', async () => {
    const { element, button } = await placeJoin('plan-ok');
    element.textContent = 'Become a regular';
    const slot = button().querySelector('slot');
    expect(slot?.assignedNodes().map((node) => node.textContent)).to.deep.equal(['Become a regular']);
  });

  for (const [name, snapshot] of Object.entries(plansStates)) {
    if (!snapshot || ['loading', 'no plans', 'plans unavailable', 'plans misconfigured'].includes(name))
      continue;
    it(`is accessible: ${name}`, async () => {
      const { element } = await place('latchkey-join', { plan: plansStates.plans.plans[1]?.id ?? '' });
      element.checkout = createStillCheckout(snapshot);
      await element.updateComplete;
      await expectAccessible(element);
    });
  }
});

describe('a visitor who is signed out', () => {
  const signedOut = loginStates['signed out'];

  /** Leaves a purchase as an earlier page of this tab does. */
  function leavePurchase(change: object = {}): void {
    const startedAt = performance.timeOrigin - 1000;
    const purchase = { backend: '/kit/shop', planId: 'plan-ok', returnTo: '/', startedAt, ...change };
    sessionStorage.setItem('latchkey:purchase', JSON.stringify(purchase));
  }

  it('stores the purchase for the next page, and no element of this page takes it', async () => {
    const first = await placeJoin('plan-ok', signedOut, { 'return-to': '/members' });
    first.button().click();
    const stored = JSON.parse(sessionStorage.getItem('latchkey:purchase') ?? '{}');
    expect(stored).to.include({ backend: '/kit/shop', planId: 'plan-ok', returnTo: '/members' });
    const second = await placeJoin('plan-ok', loginStates['signed in']);
    expect(second.element.state).to.equal('ready');
    expect(second.checkouts).to.deep.equal([]);
  });

  it('signs in within the click, and then buys', async () => {
    const { button, calls, become, checkouts, text, element } = await placeJoin('plan-ok', signedOut);
    button().click();
    expect(calls).to.deep.equal(['signIn']);
    become(loginStates.waiting);
    await element.updateComplete;
    expect(text()).to.equal(en.waiting);
    expect(button().textContent?.trim()).to.equal(en.showWindow);
    expect(checkouts).to.deep.equal([]);
    become(loginStates['signed in']);
    await until('a checkout', () => checkouts.length === 1);
    expect(sessionStorage.length).to.equal(0);
  });

  it('sees why the sign-in failed, and a late sign-in still continues', async () => {
    const { button, become, text, failures, checkouts, element } = await placeJoin('plan-ok', signedOut);
    button().click();
    become(loginStates['popup closed']);
    await element.updateComplete;
    expect(text()).to.equal(en.failures.popup_closed);
    expect(failures.map(({ during }) => during)).to.deep.equal(['sign-in']);
    expect(button().textContent?.trim()).to.equal(en.tryAgain);
    become(loginStates.exchanging);
    await element.updateComplete;
    expect(element.state).to.equal('signing-in');
    become(loginStates['signed in']);
    await until('a checkout', () => checkouts.length === 1);
  });

  for (const [what, states] of [
    ['in another tab', []],
    ['by another button', [loginStates.opening, loginStates.waiting, loginStates.exchanging]],
  ] as const) {
    it(`closes the window, and a later sign-in ${what} buys nothing`, async () => {
      const requests = recordRequests();
      const { button, become, checkouts, element } = await placeJoin('plan-ok', signedOut);
      button().click();
      become(loginStates['popup closed']);
      for (const state of [...states, loginStates['signed in']]) become(state);
      await element.updateComplete;
      expect(element.state).to.equal('ready');
      expect(requests.sent).to.deep.equal([]);
      expect(checkouts).to.deep.equal([]);
    });
  }

  it('keeps the purchase if the page moves the element meanwhile, and ends it if the page removes it', async () => {
    const { element, button, become, checkouts, listeners } = await placeJoin('plan-ok', signedOut);
    button().click();
    become(loginStates.waiting);
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    elsewhere.append(element);
    await element.updateComplete;
    expect(element.state).to.equal('signing-in');
    become(loginStates['signed in']);
    await until('a checkout', () => checkouts.length === 1);

    become(signedOut);
    await element.updateComplete;
    button().click();
    element.remove();
    await element.updateComplete;
    expect(listeners.size).to.equal(0);
    become(loginStates['signed in']);
    expect(checkouts.length).to.equal(1);
  });

  it('goes to the kit’s sign-in page if the page has no session, or lacks a scope', async () => {
    for (const plan of ['plan-signed-out', 'plan-scope']) {
      const page = await openFrame();
      const join = page.document.createElement('latchkey-join');
      join.setAttribute('backend', '/kit/shop');
      join.setAttribute('plan', plan);
      page.document.body.append(join);
      await until('a button', () => join.shadowRoot?.querySelector('button'));
      join.shadowRoot?.querySelector('button')?.click();
      const address = await until('sign-in', () => page.frame.contentDocument?.querySelector('#address'));
      expect(address.textContent).to.match(/^\/kit\/shop\/login\?returnTo=.*plans-page/);
      expect(sessionStorage.getItem('latchkey:purchase')).to.contain(plan);
    }
  });

  it('sees a text if the kit has no session even after a sign-in', async () => {
    const { button, text, become, element } = await placeJoin('plan-signed-out', signedOut);
    button().click();
    become(loginStates['signed in']);
    await until('failed', () => element.state === 'failed');
    expect(text()).to.equal(plansEn.failures.sign_in_required);
    expect(button().textContent?.trim()).to.equal(en.signInAgain);
  });

  it('cancels, and a later sign-in buys nothing', async () => {
    const { button, root, become, checkouts, calls, element } = await placeJoin('plan-ok', signedOut);
    button().click();
    await element.updateComplete;
    root.querySelector<HTMLElement>('[part=action]')?.click();
    expect(calls).to.deep.equal(['signIn', 'cancel']);
    become(signedOut);
    become(loginStates['signed in']);
    await element.updateComplete;
    expect(element.state).to.equal('ready');
    expect(checkouts).to.deep.equal([]);
    expect(sessionStorage.length).to.equal(0);
  });

  it('signs in if only the backend knows that the session has ended', async () => {
    const { button, calls, become, session } = await placeJoin('plan-signed-out', loginStates['signed in']);
    session.refresh = async () => become(signedOut);
    button().click();
    await until('a sign-in', () => calls.includes('signIn'));
  });

  it('continues the purchase on the next page, after a sign-in by redirect', async () => {
    leavePurchase({ returnTo: '/members' });
    const requests = recordRequests();
    const other = await placeJoin('plan-second', loginStates.checking);
    const next = await placeJoin('plan-ok', loginStates.checking);
    expect(next.element.state).to.equal('opening');
    expect(requests.sent).to.deep.equal([]);
    next.become(loginStates['signed in']);
    await until('a checkout', () => next.checkouts.length === 1);
    expect(requests.sent.map(({ body }) => body)).to.deep.equal([{ plan: 'plan-ok', returnTo: '/members' }]);
    expect(other.checkouts).to.deep.equal([]);
    expect(sessionStorage.length).to.equal(0);
  });

  it('does not buy after coming back without signing in', async () => {
    leavePurchase();
    const { element, become, checkouts } = await placeJoin('plan-ok', loginStates.checking);
    become(signedOut);
    become(loginStates['signed in']);
    await element.updateComplete;
    expect(element.state).to.equal('ready');
    expect(checkouts).to.deep.equal([]);
  });

  it('does not buy what was left long ago', async () => {
    leavePurchase({ startedAt: performance.timeOrigin - 3_600_000 });
    const { element } = await placeJoin('plan-ok', loginStates['signed in']);
    expect(element.state).to.equal('ready');
  });
});

describe('a locked gate with a backend', () => {
  async function gateWith(attributes: Record<string, string>, markup = '') {
    const stub = createStubSession(loginStates['signed in without e-mail or membership']);
    Object.assign(stub.session, { backend: attributes.backend });
    const gate = document.createElement('latchkey-gate');
    for (const [name, value] of Object.entries(attributes)) gate.setAttribute(name, value);
    gate.innerHTML = markup;
    gate.session = stub.session;
    document.body.append(gate);
    await gate.updateComplete;
    const plans = () => gate.shadowRoot?.querySelector('latchkey-plans');
    const offered = () =>
      plans()?.checkVisibility()
        ? [...(plans()?.shadowRoot?.querySelectorAll('[part=name]') ?? [])].map((name) => name.textContent)
        : [];
    return { ...stub, gate, plans, offered };
  }

  it('offers the plans of its session’s backend', async () => {
    const { gate, offered } = await gateWith({});
    gate.session = createStillSession(loginStates['signed in without e-mail or membership'], {
      backend: '/kit/shop',
    });
    await until('plans', () => offered().length === 3);
  });

  it('offers the plans that it names', async () => {
    const { gate, plans, offered, become } = await gateWith({ backend: '/kit/shop', community: 'c0' });
    await until('plans', () => offered().length > 0);
    expect(offered()).to.deep.equal(['Name of plan-ok', 'Name of plan-second']);
    expect(plans()?.session === gate.session).to.equal(true);
    gate.setAttribute('plan', 'plan-second');
    await until('one plan', () => offered().length === 1);
    become(loginStates['signed out']);
    await until('closed', () => gate.state === 'signed-out');
    await until('no plans', () => offered().length === 0);
  });

  for (const [what, attributes, markup] of [
    ['without a backend', {}, ''],
    ['whose backend sells nothing', { backend: '/kit/missing' }, ''],
    ['without a plan of this community', { backend: '/kit/shop', community: 'c9' }, ''],
    ['with content of the page for this state', { backend: '/kit/shop' }, '<p slot="locked">Ask us.</p>'],
  ] as const) {
    it(`offers nothing ${what}`, async () => {
      const { gate, offered, plans } = await gateWith(attributes, markup);
      await until('locked', () => gate.state === 'locked');
      await until('loaded', () => plans()?.state !== 'loading' || !('backend' in attributes));
      expect(offered()).to.deep.equal([]);
      expect(plans()?.checkVisibility() ?? false).to.equal(false);
    });
  }
});

/** Opens a page of its own with both scripts, so that it can really leave. */
async function openFrame() {
  const frame = document.createElement('iframe');
  frame.src = new URL('../../test/support/plans-page.html', import.meta.url).href;
  document.documentElement.append(frame);
  frames.push(frame);
  await until('a page', () => frame.contentDocument?.documentElement?.dataset.ready !== undefined);
  return { frame, document: frame.contentDocument as Document };
}
