import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { exampleEvent } from '../../src/testing/index.js';
import { readMembership } from '../../src/webhooks/read-membership.js';

const CLUB = 'c0ffee00-0000-4000-8000-0000000000c1';
const OTHER = 'c0ffee00-0000-4000-8000-0000000000c2';
const GUIDE = 'c0ffee00-0000-4000-8000-0000000000b1';
const ONE = 'aaaaaaaa-0000-4000-8000-000000000001';
const TWO = 'aaaaaaaa-0000-4000-8000-000000000002';
const PLAN = 'bbbbbbbb-0000-4000-8000-000000000001';
const AT = '2026-03-01T12:00:00.000Z';

const read = (body: unknown, type = 'membership.updated') =>
  readMembership({ type, body, source: { communityId: CLUB } });

describe('the membership of an event', () => {
  it.each([
    ['membershipId', { membershipId: ONE }],
    ['membership_id', { membership_id: ONE }],
    ['data.membershipId', { data: { membershipId: ONE } }],
    ['data.membership_id', { data: { membership_id: ONE } }],
    ['membership.id', { membership: { id: ONE } }],
    ['membership.membership_id', { membership: { membership_id: ONE } }],
    ['data.membership.id', { data: { membership: { id: ONE } } }],
    ['data.membership as text', { data: { membership: ONE } }],
    ['object.membership_id', { object: { membership_id: ONE } }],
    ['payload.membership.id', { payload: { membership: { id: ONE } } }],
    ['data.object.membershipId', { data: { object: { membershipId: ONE } } }],
    ['membership as text', { membership: ONE }],
    ['capitals', { membershipId: ONE.toUpperCase() }],
    ['the same id at two places', { membershipId: ONE, data: { membership: { id: ONE.toUpperCase() } } }],
  ])('is read from %s', (_place, body) => {
    expect(read(body)).toEqual({ kind: 'named', membershipId: ONE });
  });

  it.each([
    ['the id of the event', { id: ONE }],
    ['the id of data', { data: { id: ONE } }],
    ['the id of an object', { object: { id: ONE }, payload: { id: ONE } }],
    ['metadata', { metadata: { membershipId: ONE }, data: { metadata: { membership: { id: ONE } } } }],
    ['the user', { data: { user: { membershipId: ONE, name: ONE } } }],
    ['deeper objects', { data: { data: { membershipId: ONE }, membership: { membership: { id: ONE } } } }],
    ['a list', { data: [{ membershipId: ONE }], membership: [{ id: ONE }], membershipId: [ONE] }],
    ['text that contains an id', { data: { membershipId: `x ${ONE}`, externalId: `membershipId=${ONE}` } }],
    ['JSON in text', { data: JSON.stringify({ membershipId: ONE }) }],
    [
      'a prototype',
      JSON.parse(`{"__proto__":{"membershipId":"${ONE}"},"data":{"__proto__":{"membershipId":"${ONE}"}}}`),
    ],
    ['null', null],
    ['a number', 7],
    ['an empty text', { membershipId: '' }],
  ])('is never read from %s', (_place, body) => {
    expect(read(body)).toEqual({ kind: 'none' });
  });

  it('is never read from text that buyers write', () => {
    const texts = fc.dictionary(
      fc.constantFrom('externalId', 'utmSource', 'metadata', 'note', 'name'),
      fc.anything(),
    );
    fc.assert(
      fc.property(texts, texts, (inData, inUser) => {
        const event = exampleEvent('payment.success', { communityId: CLUB, membershipId: ONE });
        const body = {
          ...inData,
          ...event,
          data: { ...event.data, ...inData, user: { ...event.data.user, ...inUser } },
        };
        expect(read(body, 'payment.success')).toMatchObject({ kind: 'named', membershipId: ONE });
      }),
      fuzzRuns(100),
    );
  });

  it('is ambiguous if two places differ', () => {
    const body = { membershipId: ONE, data: { membership: { id: TWO } } };
    expect(read(body)).toEqual({ kind: 'ambiguous', membershipIds: [ONE, TWO] });
  });
});

describe('the plan of a membership', () => {
  const plan = (type: string, data: object) => {
    const result = read({ createdAt: AT, data: { membershipId: ONE, ...data } }, type);
    return result.kind === 'named' ? result.pricingPlanId : result.kind;
  };

  it.each([
    ['pricingPlanId', { pricingPlanId: PLAN }, PLAN],
    ['pricing_plan_id', { pricing_plan_id: PLAN }, PLAN],
    ['planId', { planId: PLAN }, PLAN],
    ['membership.plan_id', { membership: { plan_id: PLAN } }, PLAN],
    ['null', { pricingPlanId: null }, null],
    ['nothing', {}, undefined],
    ['two different plans', { planId: PLAN, membership: { planId: ONE } }, undefined],
    ['text', { planId: 'gold' }, undefined],
  ])('is read from %s', (_what, data, expected) => {
    expect(plan('membership.created', data)).toBe(expected);
  });

  it('is not read from a failed payment or an unknown event, which grant nothing', () => {
    for (const type of ['payment.failed', 'plan.wished', ''])
      expect(plan(type, { planId: PLAN })).toBeUndefined();
  });
});

describe('the time of a statement', () => {
  it.each([
    ['createdAt', { createdAt: AT }],
    ['created_at', { created_at: AT }],
    ['occurredAt', { occurredAt: AT }],
    ['timestamp', { timestamp: AT }],
  ])('is %s of the event', (_name, time) => {
    expect(read({ ...time, membershipId: ONE })).toMatchObject({ observedAt: Date.parse(AT) });
  });

  it('is unknown without one, for other text, and for times of the membership', () => {
    const far = { createdAt: '9999-12-31T23:59:59Z' };
    for (const body of [{}, { createdAt: 'soon' }, { createdAt: 5 }, far, { data: { createdAt: AT } }]) {
      expect(read({ membershipId: ONE, ...body })).toEqual({ kind: 'named', membershipId: ONE });
    }
  });

  it('of a payment is just before that of the change that it caused, which states the plan of the membership', () => {
    const [paid, changed] = ['payment.success', 'membership.updated'].map((type) =>
      read({ createdAt: AT, membershipId: ONE, planId: PLAN }, type),
    );
    expect(paid).toMatchObject({ observedAt: Date.parse(AT) - 1 });
    expect(changed).toMatchObject({ observedAt: Date.parse(AT) });
  });
});

describe('the community or product that a body names', () => {
  const GUIDE_SOURCE = { productId: GUIDE };
  const CLUB_SOURCE = { communityId: CLUB };
  const at = { membershipId: ONE };
  it.each([
    ['nothing', {}, CLUB_SOURCE],
    ['the community of the secret', { communityId: CLUB.toUpperCase() }, CLUB_SOURCE],
    ['its community, and a product in it', { community_id: CLUB, productId: GUIDE }, CLUB_SOURCE],
    [
      'its product, and the community of it',
      { product: { id: GUIDE }, community: { id: CLUB } },
      GUIDE_SOURCE,
    ],
    ['null', { communityId: CLUB, productId: null }, CLUB_SOURCE],
  ])('can be %s', (_what, data, source) => {
    expect(
      readMembership({ type: 'membership.created', body: { data: { ...at, ...data } }, source }),
    ).toMatchObject({
      kind: 'named',
    });
  });

  it.each([
    ['another community', { communityId: OTHER }, CLUB_SOURCE],
    ['two communities', { communityId: CLUB, membership: { communityId: OTHER } }, CLUB_SOURCE],
    ['only a product', { productId: GUIDE }, CLUB_SOURCE],
    ['a digital product', { communityId: CLUB, membership: { productType: 'digital_product' } }, CLUB_SOURCE],
    ['another product', { product: { id: OTHER } }, GUIDE_SOURCE],
    ['only a community', { communityId: CLUB }, GUIDE_SOURCE],
    [
      'a membership of a community',
      { productId: GUIDE, membership: { product_type: 'community' } },
      GUIDE_SOURCE,
    ],
  ])('contradicts the secret: %s', (_what, data, source) => {
    expect(
      readMembership({ type: 'membership.created', body: { data: { ...at, ...data } }, source }),
    ).toMatchObject({
      kind: 'other_source',
    });
  });
});
