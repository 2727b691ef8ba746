import { describe, expect, it } from 'vitest';
import type { SessionSnapshot } from '../session/index.js';
import type { Membership } from '../state/login-state.js';
import { opensFor } from '../state/membership-rule.js';
import { gateState } from './gate-rule.js';

const ada = { sub: 'u1', email: 'ada@example.com' };
const community = {
  id: 'm1',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
} satisfies Membership;
const product = { ...community, id: 'p1', productType: 'digital_product' };

describe('a membership rule', () => {
  it('opens for a membership of one of its kinds', () => {
    expect(opensFor([community], { productTypes: ['agency', 'community'] })).toBe(true);
    expect(opensFor([product], { productTypes: ['agency', 'community'] })).toBe(false);
  });

  it('opens for one of its memberships by id', () => {
    expect(opensFor([product], { membershipIds: ['p1'] })).toBe(true);
    expect(opensFor([product], { membershipIds: ['p2'] })).toBe(false);
  });

  it('with both asks one membership to satisfy both', () => {
    const rule = { productTypes: ['community'], membershipIds: ['p1'] } as const;
    expect(opensFor([community, product], rule)).toBe(false);
    expect(opensFor([{ ...community, id: 'p1' }], rule)).toBe(true);
  });

  const ours = {
    ...community,
    isKnown: true,
    communityId: 'C1-aa',
    productId: null,
    pricingPlanId: 'p-BB',
  };

  it('by community, product or plan opens for a known membership of it, without regard to case', () => {
    expect(opensFor([ours], { communityIds: ['other', 'c1-AA'] })).toBe(true);
    expect(opensFor([ours], { pricingPlanIds: ['P-bb'] })).toBe(true);
    expect(opensFor([{ ...ours, communityId: null, productId: 'd1' }], { productIds: ['D1'] })).toBe(true);
    expect(opensFor([{ ...ours, id: 'Ab' }], { membershipIds: ['aB'] })).toBe(true);
    for (const rule of [
      { communityIds: ['other'] },
      { pricingPlanIds: ['other'] },
      { productIds: ['null'] },
      { productIds: ['undefined'] },
      { communityIds: ['c1-aa'], pricingPlanIds: ['other'] },
      { communityIds: ['c1-aa'], productTypes: ['agency'] },
    ] as const)
      expect(opensFor([ours], rule), JSON.stringify(rule)).toBe(false);
  });

  it('by community stays closed for a membership that the directory does not know', () => {
    for (const isKnown of [false, undefined]) {
      const stranger = { ...ours, ...(isKnown === undefined ? {} : { isKnown }) };
      if (isKnown === undefined) Reflect.deleteProperty(stranger, 'isKnown');
      expect(opensFor([stranger], { communityIds: ['c1-aa'] })).toBe(false);
      expect(opensFor([stranger], { productTypes: ['community'] })).toBe(true);
    }
    expect(opensFor([community], { communityIds: ['c1-aa'] })).toBe(false);
  });

  it('asks one membership to satisfy all conditions', () => {
    const rule = { communityIds: ['c1-aa'], pricingPlanIds: ['gold'] };
    const gold = { ...ours, communityId: 'c2', pricingPlanId: 'gold' };
    expect(opensFor([ours, gold], rule)).toBe(false);
    expect(opensFor([{ ...ours, pricingPlanId: 'gold' }], rule)).toBe(true);
  });

  it('without conditions opens for any membership and stays closed without one', {
    tags: ['memberships.empty-means-no-access'],
  }, () => {
    expect(opensFor([product], {})).toBe(true);
    expect(opensFor([], {})).toBe(false);
  });

  it('does not count a membership that is not active', () => {
    expect(opensFor([{ ...community, isActive: false }], {})).toBe(false);
  });
});

describe('a gate', () => {
  const rule = { productTypes: ['community'] } as const;
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
    ['signed-out', { status: 'failed', signedIn: false }],
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
      expect(gateState(snapshot, rule)).toBe(state);
    });
  }
});
