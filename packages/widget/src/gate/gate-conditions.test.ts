import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { splitList } from '../element/shared.js';
import type { LoginSession } from '../session/index.js';
import { type GateConditions, ruleOf, uncheckedCondition } from './gate-rule.js';
import { explainSetting, warnAboutProductType } from './gate-settings.js';

const none: GateConditions = {
  productType: undefined,
  membership: undefined,
  community: undefined,
  product: undefined,
  plan: undefined,
};
const session = (backend: string | undefined) => ({ backend }) as LoginSession;

describe('a list in an attribute', () => {
  it.each<[string | null | undefined, string[]]>([
    [undefined, []],
    [null, []],
    ['', []],
    [' \n', []],
    [',', []],
    ['a', ['a']],
    ['a b', ['a', 'b']],
    ['a,b', ['a', 'b']],
    [' a ,\n\tb,,c ', ['a', 'b', 'c']],
    [['a', 'b'] as never, ['a', 'b']],
    ['0', ['0']],
  ])('%j contains %j', (list, expected) => {
    expect(splitList(list)).toStrictEqual(expected);
  });
});

describe('the attributes of a gate', () => {
  it('each name one condition', () => {
    const gate: GateConditions = {
      productType: 'agency community',
      membership: 'm1,m2',
      community: 'c1',
      product: 'd1 d2',
      plan: 'p1',
    };
    expect(ruleOf(gate)).toStrictEqual({
      productTypes: ['agency', 'community'],
      membershipIds: ['m1', 'm2'],
      communityIds: ['c1'],
      productIds: ['d1', 'd2'],
      pricingPlanIds: ['p1'],
    });
  });

  it('without a value name no condition', () => {
    expect(Object.values(ruleOf(none))).toStrictEqual([[], [], [], [], []]);
  });

  it.each(['community', 'product', 'plan'] as const)('%s needs a backend and an id', (name) => {
    const problem = (ids: string | null, backend?: string) => {
      const setting = uncheckedCondition({ ...none, [name]: ids }, session(backend));
      return setting && explainSetting(setting);
    };
    expect(problem('x', '/auth')).toBeUndefined();
    expect(problem('x', '')).toBeUndefined();
    expect(problem('x')).toMatch(`${name}="x" needs an id and a session with a backend.`);
    expect(problem('', '/auth')).toMatch(`${name}="" needs an id`);
    expect(problem(' , ', '/auth')).toMatch(`${name}=" , " needs an id`);
    expect(problem(null)).toBeUndefined();
  });

  it.each(['productType', 'membership'] as const)('%s needs no backend', (name) => {
    expect(uncheckedCondition({ ...none, [name]: 'community' }, session(undefined))).toBeUndefined();
  });

  it('are checked up to the last one', () => {
    expect(uncheckedCondition({ ...none, community: 'c1', plan: '' }, session('/auth'))).toMatch('plan=""');
  });
});

describe('a warning about product types', () => {
  const warn = vi.fn();
  beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(warn));
  afterEach(() => {
    vi.restoreAllMocks();
    warn.mockReset();
  });

  it('names each one that no membership has, and those that exist', () => {
    warnAboutProductType('comunity agency Community' as never);
    const known = 'community, digital_product, clipping_campaign, agency';
    const address = 'latchkey explain product_type_unknown';
    expect(warn.mock.calls).toStrictEqual([
      [`Latchkey: product-type "comunity" is none of ${known}. ${address}`],
      [`Latchkey: product-type "Community" is none of ${known}. ${address}`],
    ]);
  });

  it.each([undefined, null, 'community', 'digital_product clipping_campaign agency'])(
    'is absent for %s',
    (list) => {
      warnAboutProductType(list as GateConditions['productType']);
      expect(warn).not.toHaveBeenCalled();
    },
  );
});
