import { expect } from 'chai';
import { gateState } from '../src/elements/gate-state.js';
import type { SessionSnapshot } from '../src/session/index.js';
import { opensFor } from '../src/state/membership-rule.js';
import { ada, community } from './support/fake-api.js';

const product = { ...community, id: 'p1', productType: 'digital_product' };

describe('a membership rule', () => {
  it('opens for a membership of one of its kinds', () => {
    expect(opensFor([community], { productTypes: ['agency', 'community'] })).to.equal(true);
    expect(opensFor([product], { productTypes: ['agency', 'community'] })).to.equal(false);
  });

  it('opens for one of its memberships by id', () => {
    expect(opensFor([product], { membershipIds: ['p1'] })).to.equal(true);
    expect(opensFor([product], { membershipIds: ['p2'] })).to.equal(false);
  });

  it('with both asks one membership to satisfy both', () => {
    const rule = { productTypes: ['community'], membershipIds: ['p1'] };
    expect(opensFor([community, product], rule)).to.equal(false);
    expect(opensFor([{ ...community, id: 'p1' }], rule)).to.equal(true);
  });

  it('without conditions opens for any membership and stays closed without one [memberships.empty-means-no-access]', () => {
    expect(opensFor([product], {})).to.equal(true);
    expect(opensFor([], {})).to.equal(false);
  });

  it('does not count a membership that is not active', () => {
    expect(opensFor([{ ...community, isActive: false }], {})).to.equal(false);
  });
});

describe('a gate', () => {
  const rule = { productTypes: ['community'] };
  const signedIn = (memberships?: SessionSnapshot['memberships']): SessionSnapshot => ({
    status: 'signed-in',
    signedIn: true,
    user: ada,
    ...(memberships && { memberships }),
  });
  const failed = (during: 'check' | 'sign-in'): SessionSnapshot => ({
    status: 'failed',
    signedIn: false,
    failure: { code: 'network', during, message: '' },
  });

  for (const [state, snapshot] of [
    ['loading', { status: 'checking', signedIn: false }],
    ['signed-out', { status: 'signed-out', signedIn: false }],
    ['signed-out', { status: 'opening', signedIn: false }],
    ['signed-out', { status: 'waiting', signedIn: false }],
    ['loading', { status: 'exchanging', signedIn: false }],
    ['signed-out', { status: 'expired', signedIn: false }],
    ['signed-out', failed('sign-in')],
    ['error', failed('check')],
    ['open', signedIn([community])],
    ['locked', signedIn([product])],
    ['locked', signedIn([])],
    ['error', signedIn()],
  ] as const) {
    const { status, memberships, failure } = snapshot as SessionSnapshot;
    const what = [status, failure?.during, memberships?.map(({ productType }) => productType).join() ?? '']
      .filter(Boolean)
      .join(', ');
    it(`is ${state} for a session that is ${what}`, () => {
      expect(gateState(snapshot, rule)).to.equal(state);
    });
  }
});
