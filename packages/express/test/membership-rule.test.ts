import { type FakeMembership, fakeMembership } from '@latchkey/conformance/scripted-service';
import { describe, expect, it } from 'vitest';
import { LatchkeyOptionsError, type MembershipRule, type SiteMembership } from '../src/index.js';
import { compileRule, compileSiteRule } from '../src/memberships/membership-rule.js';
import { siteMembership } from '../src/memberships/site-membership.js';

const SHOP = '5eed0000-0000-4000-8000-0000000000ca';
const GUIDE = '5eed0000-0000-4000-8000-0000000000da';
const MONTHLY = '5eed0000-0000-4000-8000-0000000000aa';
const OTHER = '33333333-3333-4333-8333-333333333333';

const known = (
  membership: FakeMembership,
  fields: { communityId?: string; productId?: string; pricingPlanId?: string },
) =>
  siteMembership(membership, {
    membershipId: membership.id,
    communityId: null,
    productId: null,
    pricingPlanId: null,
    ...fields,
  });
const community = known(fakeMembership({ id: '11111111-1111-4111-8111-11111111111A' }), {
  communityId: SHOP,
  pricingPlanId: MONTHLY,
});
const guide = known(fakeMembership({ id: '22222222-2222-4222-8222-222222222222', productType: 'agency' }), {
  productId: GUIDE,
});
const foreign = siteMembership(fakeMembership({ productType: 'clipping_campaign' }), undefined);

const view = (memberships: readonly SiteMembership[]) => ({
  memberships,
  known: memberships.filter(({ isKnown }) => isKnown),
});
const matches = (rule: MembershipRule, memberships = [community, guide, foreign]) =>
  compileRule(rule).matches(view(memberships));

describe('a membership rule', () => {
  it.each<[string, MembershipRule, boolean]>([
    ['a community', { communityId: SHOP }, true],
    ['a community in upper case', { communityId: SHOP.toUpperCase() }, true],
    ['another community', { communityId: OTHER }, false],
    ['one of several communities', { communityId: [OTHER, SHOP] }, true],
    ['a product', { productId: GUIDE }, true],
    ['the id of a product as community', { communityId: GUIDE }, false],
    ['a pricing plan', { pricingPlanId: MONTHLY }, true],
    ['another pricing plan', { pricingPlanId: OTHER }, false],
    ['community and plan of one membership', { communityId: SHOP, pricingPlanId: MONTHLY }, true],
    ['product and plan of two memberships', { productId: GUIDE, pricingPlanId: MONTHLY }, false],
    ['community and type of one membership', { communityId: SHOP, productType: 'community' }, true],
    ['community and type of two memberships', { communityId: SHOP, productType: 'agency' }, false],
    ['a membership id in lower case', { membershipId: community.id.toLowerCase() }, true],
    ['another membership id', { membershipId: OTHER }, false],
    ['the id of an unknown membership', { membershipId: foreign.id }, false],
    ['any seller and a type', { productType: 'clipping_campaign', from: 'any-seller' }, true],
    ['any seller and another type', { productType: 'digital_product', from: 'any-seller' }, false],
    [
      'any seller and several types',
      { productType: ['digital_product', 'agency'], from: 'any-seller' },
      true,
    ],
    ['any seller and an id', { membershipId: foreign.id.toUpperCase(), from: 'any-seller' }, true],
    [
      'any seller, id of one and type of another',
      { membershipId: foreign.id, productType: 'agency', from: 'any-seller' },
      false,
    ],
    ['a predicate that returns true', (memberships) => memberships.length === 2, true],
    ['a predicate that returns false', () => false, false],
    [
      'a predicate that looks for a foreign membership',
      (list) => list.some(({ isKnown }) => !isKnown),
      false,
    ],
    ['any, one of which matches', { any: [{ communityId: OTHER }, { productId: GUIDE }] }, true],
    ['any, none of which matches', { any: [{ communityId: OTHER }, () => false] }, false],
    ['all, each of which matches', { all: [{ communityId: SHOP }, { productId: GUIDE }] }, true],
    ['all, one of which does not match', { all: [{ communityId: SHOP }, { pricingPlanId: OTHER }] }, false],
    [
      'all within any',
      { any: [{ all: [{ communityId: SHOP }, () => false] }, { membershipId: guide.id }] },
      true,
    ],
  ])('evaluates %s', (_name, rule, result) => {
    expect(matches(rule)).toBe(result);
  });

  it('never admits a visitor without memberships', { tags: ['memberships.empty-means-no-access'] }, () => {
    expect(matches({ communityId: SHOP }, [])).toBe(false);
    expect(matches({ productType: 'community', from: 'any-seller' }, [])).toBe(false);
  });

  it('accepts unknown product types', { tags: ['versioning.ignore-unknown-fields'] }, () => {
    const newsletter = siteMembership(fakeMembership({ productType: 'newsletter' }), undefined);
    expect(matches({ productType: 'newsletter', from: 'any-seller' }, [newsletter])).toBe(true);
  });

  it.each<[string, unknown, RegExp]>([
    ['has no criteria', {}, /rule: names no membership/],
    [
      'has an undefined id, as from a missing setting',
      { communityId: undefined },
      /rule\.communityId: is undefined.*environment variable/,
    ],
    [
      'would admit every member because its plan is undefined',
      { communityId: SHOP, pricingPlanId: undefined },
      /rule\.pricingPlanId: is undefined.*environment variable/,
    ],
    ['has an id in quotation marks', { communityId: `"${SHOP}"` }, /rule\.communityId: .*quotation marks/],
    ['has an id with a line break', { productId: [GUIDE, `${GUIDE}\n`] }, /rule\.productId: .*white space/],
    ['is misspelt', { communityid: SHOP }, /rule\.communityid: is not part of a rule/],
    ['has an empty list', { communityId: [] }, /rule\.communityId: must be a non-empty/],
    ['has an empty id', { productId: '' }, /rule\.productId: .*environment variable/],
    ['has something else in the list', { membershipId: [42] }, /rule\.membershipId/],
    ['has a product type only', { productType: 'community' }, /names only a productType/],
    [
      'has a product type only, and no fix in sight',
      { productType: ['agency', 'community'] },
      /Anybody can open a community of their own.*\{ productType: 'agency', from: 'any-seller' \}/,
    ],
    ['has a product type only further in', { any: [{ productType: 'agency' }] }, /rule\.any\.0: names only/],
    ['names a community and a product', { communityId: SHOP, productId: GUIDE }, /belongs to both/],
    ['has an unknown from', { productType: 'agency', from: 'anybody' }, /rule\.from: must be 'any-seller'/],
    [
      'has a community from any seller',
      { communityId: SHOP, from: 'any-seller' },
      /rule\.communityId: cannot be combined with from/,
    ],
    ['has nothing from any seller', { from: 'any-seller' }, /names neither productType nor membershipId/],
    ['has an empty any', { any: [] }, /rule\.any: must list at least one/],
    ['has an empty all', { all: [] }, /rule\.all: must list at least one/],
    ['has an all with holes', { all: new Array(2) }, /rule\.all\.0: must be an object/],
    ['has a fault further in', { any: [{ all: [{}] }] }, /rule\.any\.0\.all\.0: names no/],
    ['mixes any with criteria', { any: [() => true], communityId: SHOP }, /Nest them/],
    ['is no rule at all', 'community', /must be an object/],
    ['is null', null, /must be an object/],
  ])('is rejected if it %s', (_name, rule, text) => {
    const compile = () => compileRule(rule as MembershipRule);
    expect(compile).toThrow(LatchkeyOptionsError);
    expect(compile).toThrow(text);
  });

  it('does not end the process if it is asynchronous and fails', async () => {
    const asynchronous = () => Promise.reject(new Error('no')) as never;
    expect(() => matches(asynchronous)).toThrow(/returned a promise/);
    // An unhandled rejection would be reported after this turn, and fail the run.
    await new Promise(setImmediate);
  });

  it('does not accept a promise as true', () => {
    const asynchronous = (async () => false) as unknown as MembershipRule;
    expect(() => matches(asynchronous)).toThrow(/returned a promise\. Use a function without await/);
  });

  it.each<[string, MembershipRule]>([
    ['a community', { communityId: SHOP }],
    ['a product', { productId: GUIDE }],
    ['a plan', { pricingPlanId: MONTHLY }],
    ['a membership', { membershipId: OTHER }],
    ['a predicate', () => true],
    ['a part', { any: [{ productType: 'agency', from: 'any-seller' }, { communityId: SHOP }] }],
  ])('by %s needs a directory', (_name, rule) => {
    expect(() => compileSiteRule(rule, { directory: undefined })).toThrow(
      /directory: is required by this rule.*sqliteDirectory\('memberships.sqlite'\)/,
    );
    expect(compileSiteRule(rule, { directory: {} }).needsDirectory).toBe(true);
  });

  it('of any seller needs no directory', () => {
    const rule: MembershipRule = { all: [{ productType: 'agency', from: 'any-seller' }] };
    expect(compileSiteRule(rule, { directory: undefined }).needsDirectory).toBe(false);
  });

  const unknown = siteMembership(fakeMembership(), undefined);
  const unknownProduct = siteMembership(fakeMembership({ productType: 'digital_product' }), undefined);
  it.each<[string, MembershipRule, SiteMembership[]]>([
    ['a community', { communityId: OTHER }, [unknown, foreign]],
    ['a product', { productId: OTHER }, [unknownProduct, foreign]],
    ['a plan', { pricingPlanId: OTHER }, [unknown, unknownProduct, foreign]],
    ['a type', { communityId: OTHER, productType: 'clipping_campaign' }, [foreign]],
    ['an id', { membershipId: unknown.id.toUpperCase() }, [unknown]],
    ['any', { any: [{ membershipId: foreign.id }, { productId: OTHER }] }, [foreign, unknownProduct]],
    [
      'all, a part of which matches',
      { all: [{ communityId: SHOP }, { membershipId: foreign.id }] },
      [foreign],
    ],
    ['all, a part of which cannot match', { all: [{ communityId: OTHER }, { membershipId: OTHER }] }, []],
    ['a predicate', () => false, [unknown, unknownProduct, foreign]],
    ['any seller', { productType: 'agency', from: 'any-seller' }, []],
  ])('by %s lists the unknown memberships that could match', (_name, rule, expected) => {
    const found = compileRule(rule).candidates(view([community, unknown, unknownProduct, foreign]));
    expect(new Set(found)).toEqual(new Set(expected));
  });
});
