import { fakeMembership } from '@latchkey/test-services';
import { describe, expect, it } from 'vitest';
import { LatchkeyOptionsError, type MembershipRule } from '../src/index.js';
import { compileRule } from '../src/memberships/membership-rule.js';

const community = fakeMembership({ id: '11111111-1111-4111-8111-11111111111a', productType: 'community' });
const agency = fakeMembership({ id: '22222222-2222-4222-8222-222222222222', productType: 'agency' });

describe('a membership rule', () => {
  it.each<[string, MembershipRule, boolean]>([
    ['one product type', { productType: 'community' }, true],
    ['another product type', { productType: 'digital_product' }, false],
    ['one of several product types', { productType: ['digital_product', 'agency'] }, true],
    ['a membership id, in whatever case', { membershipId: community.id.toUpperCase() }, true],
    ['another membership id', { membershipId: '33333333-3333-4333-8333-333333333333' }, false],
    ['id and type of the same membership', { membershipId: agency.id, productType: 'agency' }, true],
    [
      'id of one and type of another membership',
      { membershipId: agency.id, productType: 'community' },
      false,
    ],
    ['a predicate that says yes', (memberships) => memberships.length === 2, true],
    ['a predicate that says no', () => false, false],
    [
      'any, one of which fits',
      { any: [{ productType: 'digital_product' }, { productType: 'agency' }] },
      true,
    ],
    ['any, none of which fits', { any: [{ productType: 'digital_product' }, () => false] }, false],
    ['all, each of which fits', { all: [{ productType: 'community' }, { productType: 'agency' }] }, true],
    [
      'all, one of which does not fit',
      { all: [{ productType: 'community' }, { productType: 'clipping_campaign' }] },
      false,
    ],
    [
      'all within any',
      { any: [{ all: [{ productType: 'community' }, () => false] }, { membershipId: agency.id }] },
      true,
    ],
  ])('evaluates %s', (_name, rule, verdict) => {
    expect(compileRule(rule)([community, agency])).toBe(verdict);
  });

  it('never admits a visitor without memberships [memberships.empty-means-no-access]', () => {
    expect(compileRule({ productType: ['community', 'agency'] })([])).toBe(false);
  });

  it('accepts unknown product types [versioning.ignore-unknown-fields]', () => {
    expect(compileRule({ productType: 'newsletter' })([fakeMembership({ productType: 'newsletter' })])).toBe(
      true,
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['has no criteria', {}, /rule: names neither/],
    ['has undefined criteria, as from a missing setting', { productType: undefined }, /rule: names neither/],
    ['is misspelt', { producttype: 'community' }, /rule\.producttype/],
    ['has an empty list of types', { productType: [] }, /rule\.productType: must be a non-empty/],
    ['has an empty type', { productType: '' }, /rule\.productType/],
    ['has something else in the list', { membershipId: [42] }, /rule\.membershipId/],
    ['has an empty any', { any: [] }, /rule\.any: must list at least one/],
    ['has an empty all', { all: [] }, /rule\.all: must list at least one/],
    ['has a fault further in', { any: [{ all: [{}] }] }, /rule\.any\.0\.all\.0: names neither/],
    ['mixes any with criteria', { any: [() => true], productType: 'community' }, /Nest them/],
    ['is no rule at all', 'community', /must be an object/],
    ['is null', null, /must be an object/],
  ])('is rejected if it %s', (_name, rule, text) => {
    const compile = () => compileRule(rule as MembershipRule);
    expect(compile).toThrow(LatchkeyOptionsError);
    expect(compile).toThrow(text);
  });

  it('does not accept a promise as true', () => {
    const asynchronous = (async () => false) as unknown as MembershipRule;
    expect(() => compileRule(asynchronous)([community])).toThrow(
      /returned a promise\. Use a function without await/,
    );
  });
});
