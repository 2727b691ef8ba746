import { expect } from 'chai';
import '../define.js';
import { plansEn } from '../messages/plans-en.js';
import '../plans.js';
import { expectAccessible } from '../../test/support/accessibility.js';
import { createStubSession } from '../../test/support/stub-session.js';
import type { SessionSnapshot } from '../session/index.js';
import type { Membership } from '../state/login-state.js';
import { createStillCheckout, loginStates, planOwner, plansStates } from '../testing.js';

const { fetch: originalFetch } = window;

afterEach(() => {
  document.body.replaceChildren();
  window.fetch = originalFetch;
});

/** Session of a member of the community `c0` by the plan `plan-ok`, until its end. */
function memberOf(change: Partial<Membership> = {}): SessionSnapshot {
  const memberships = planOwner.memberships.map((one) => ({
    ...one,
    communityId: 'c0',
    pricingPlanId: 'plan-ok',
    ...change,
  }));
  return { ...planOwner, memberships };
}

/** Places a button for the plan `plan-second`. */
async function placeJoin(
  snapshot: SessionSnapshot,
  attributes: Record<string, string> = { community: 'C0' },
) {
  const { session, become } = createStubSession(snapshot);
  const element = document.createElement('latchkey-join');
  const all = { backend: '/kit/shop', plan: 'plan-second', 'return-to': '/members', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  element.session = session;
  document.body.append(element);
  await element.updateComplete;
  const button = () => element.shadowRoot?.querySelector<HTMLElement>('[part=button]');
  return { element, become, button, label: () => button()?.textContent?.trim() };
}

describe('<latchkey-join> with the community of its plan', () => {
  it('says "Buy" to a member by another plan, and keeps a label of the page', async () => {
    const { element, button, label } = await placeJoin(memberOf());
    expect(`${button()?.localName} ${label()}`).to.equal(`button ${plansEn.buy}`);
    await expectAccessible(element);
    element.textContent = 'Become a regular';
    const assigned = button()?.querySelector('slot')?.assignedNodes() ?? [];
    expect(assigned.map(({ textContent }) => textContent)).to.deep.equal(['Become a regular']);
  });

  it('is the way in for a member by its plan, or by an unknown one', async () => {
    for (const pricingPlanId of ['PLAN-second', null]) {
      const { button, label } = await placeJoin(memberOf({ pricingPlanId, validUntil: null }));
      expect(label()).to.equal(plansEn.open);
      expect(button()?.getAttribute('href')).to.equal('/members');
    }
  });

  it('is absent for a member for life by another plan, until the sign-out', async () => {
    const { element, become, button, label } = await placeJoin(memberOf({ validUntil: null }));
    expect(button() === null).to.equal(true);
    become(loginStates['signed out']);
    await element.updateComplete;
    expect(label()).to.equal(plansEn.join);
  });

  for (const [name, snapshot] of [
    ['a visitor who is signed out', loginStates['signed out']],
    ['a user without a membership', loginStates['signed in without e-mail or membership']],
    ['a member of another community', memberOf({ communityId: 'c1', validUntil: null })],
    ['an owner of a product', memberOf({ communityId: null, productId: 'p0', pricingPlanId: null })],
    ['a membership outside the directory', memberOf({ isKnown: false })],
    ['a membership that has ended', memberOf({ isActive: false })],
  ] as const) {
    it(`says "Join" to ${name}`, async () => {
      expect((await placeJoin(snapshot)).label()).to.equal(plansEn.join);
    });
  }

  it('requests nothing', async () => {
    const sent: string[] = [];
    window.fetch = (input, init) => {
      sent.push(String(input));
      return originalFetch(input, init);
    };
    await placeJoin(memberOf());
    expect(sent).to.deep.equal([]);
  });
});

describe('<latchkey-join> without the community of its plan', () => {
  it('says "Join" to a member by another plan, also for life', async () => {
    for (const validUntil of ['2031-03-31T12:00:00.000Z', null]) {
      const { label } = await placeJoin(memberOf({ validUntil }), {});
      expect(label()).to.equal(plansEn.join);
    }
  });
});

describe('the link of <latchkey-join>', () => {
  it('is as wide as its label, also above a text', async () => {
    const state = plansStates['already a member'];
    const { element, button } = await placeJoin(loginStates['signed out'], { plan: state.planId });
    element.checkout = createStillCheckout(state);
    await element.updateComplete;
    const [link, notice] = [button(), element.shadowRoot?.querySelector('.notice')];
    expect(link?.localName).to.equal('a');
    expect(link?.offsetWidth).to.be.lessThan((notice as HTMLElement).offsetWidth);
  });
});
