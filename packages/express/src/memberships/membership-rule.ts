import type { MembershipProductType } from '@latchkey/contract/constants';
import { docsUrl } from '@latchkey/contract/constants';
import { isUnusedPromise, optionError } from '../platform/errors.js';
import type { MembershipView } from './membership-snapshot.js';
import type { SiteMembership } from './site-membership.js';

type OneOrMore<Value> = Value | readonly Value[];
type ProductType = MembershipProductType | (string & {});

interface SiteFields {
  communityId?: OneOrMore<string>;
  productId?: OneOrMore<string>;
  pricingPlanId?: OneOrMore<string>;
  membershipId?: OneOrMore<string>;
}

/** Criteria for a membership of this site, which must match all fields. At least one field must be an id. */
export type SiteCriteria = {
  [Field in keyof SiteFields]-?: SiteFields & Required<Pick<SiteFields, Field>>;
}[keyof SiteFields] & {
  /** Product types: `community`, `digital_product`, `clipping_campaign`, `agency`. Not enough on its own. */
  productType?: OneOrMore<ProductType>;
  from?: undefined;
};

/** Criteria for a membership from any seller of the service. Careful: anyone can create a community and join it. */
export type AnySellerCriteria = (
  | { productType: OneOrMore<ProductType>; membershipId?: OneOrMore<string> }
  | { productType?: OneOrMore<ProductType>; membershipId: OneOrMore<string> }
) & { from: 'any-seller' };

/** Criteria for one membership, which must match all of them. */
export type MembershipCriteria = SiteCriteria | AnySellerCriteria;

/**
 * A synchronous function of the visitor's memberships of this site, which must return `true` or `false`. It doesn't
 * receive other sellers' memberships.
 */
export type MembershipPredicate = (memberships: readonly SiteMembership[]) => boolean;

/** Condition that a member's running memberships must meet. */
export type MembershipRule =
  | MembershipCriteria
  | MembershipPredicate
  | { any: readonly MembershipRule[] }
  | { all: readonly MembershipRule[] };

export interface CompiledRule {
  /** True if some part depends on the membership directory. */
  needsDirectory: boolean;
  matches(view: MembershipView): boolean;
  /**
   * Returns the memberships that aren't in the directory and could satisfy the rule if they were. The caller already
   * knows that the rule doesn't match.
   */
  candidates(view: MembershipView): readonly SiteMembership[];
}

/**
 * Compiles the rule of a gate.
 * @throws LatchkeyOptionsError like {@link compileRule}, or if the rule depends on a directory and there is none.
 */
export function compileSiteRule(
  rule: MembershipRule,
  { directory }: { directory: object | undefined },
): CompiledRule {
  const compiled = compileRule(rule);
  if (!compiled.needsDirectory || directory !== undefined) return compiled;
  throw optionError(
    'directory',
    `is required by this rule, because the service does not report the community of a membership. Pass latchkey({ directory: sqliteDirectory('memberships.sqlite') }), postgresDirectory(pool) or redisDirectory(client). See ${docsUrl('gating')}`,
  );
}

/**
 * Compiles a rule.
 * @throws LatchkeyOptionsError for a rule that would match every visitor or no visitor by mistake: no criteria, a product
 * type alone, an empty list, or an unknown key.
 */
export function compileRule(rule: MembershipRule, path = 'rule'): CompiledRule {
  if (typeof rule === 'function') return compilePredicate(rule);
  if (typeof rule !== 'object' || rule === null) {
    throw optionError(path, "must be an object such as { communityId: '…' }, or a function.");
  }
  if ('any' in rule || 'all' in rule) return compileGroup(rule, path);
  return compileCriteria(rule, path);
}

type CriteriaField = keyof SiteFields | 'productType';
type Criteria = ReadonlyMap<CriteriaField, ReadonlySet<string>>;

const FIELDS = ['communityId', 'productId', 'pricingPlanId', 'membershipId', 'productType'] as const;
const ANY_SELLER = 'any-seller';

function compileCriteria(rule: MembershipCriteria, path: string): CompiledRule {
  const given: Readonly<Record<string, unknown>> = { ...rule };
  const unknown = Object.keys(given).find((key) => key !== 'from' && !FIELDS.some((field) => field === key));
  if (unknown !== undefined) {
    throw optionError(
      `${path}.${unknown}`,
      `is not part of a rule. Use ${FIELDS.join(', ')}, from, any or all.`,
    );
  }
  const criteria: Criteria = new Map(
    FIELDS.flatMap((field) => {
      return field in given ? [[field, listOf(given[field], `${path}.${field}`)] as const] : [];
    }),
  );
  if (given.from !== undefined) return anySellerRule(criteria, given.from, path);
  checkSiteCriteria(criteria, path);
  return {
    needsDirectory: true,
    matches: ({ known }) => known.some((membership) => matchesAll(criteria, membership)),
    candidates: ({ memberships }) =>
      memberships.filter((membership) => !membership.isKnown && couldMatch(criteria, membership)),
  };
}

function anySellerRule(criteria: Criteria, from: unknown, path: string): CompiledRule {
  if (from !== ANY_SELLER) throw optionError(`${path}.from`, `must be '${ANY_SELLER}', or left out.`);
  const fields = [...criteria.keys()];
  const other = fields.find((field) => field !== 'productType' && field !== 'membershipId');
  if (other !== undefined) {
    throw optionError(
      `${path}.${other}`,
      `cannot be combined with from: '${ANY_SELLER}', because only the memberships of this site have it. Remove from.`,
    );
  }
  if (fields.length === 0) {
    throw optionError(
      path,
      `names neither productType nor membershipId. To admit every signed-in visitor, use requireSignIn.`,
    );
  }
  return {
    needsDirectory: false,
    matches: ({ memberships }) => memberships.some((membership) => matchesAll(criteria, membership)),
    candidates: () => [],
  };
}

function checkSiteCriteria(criteria: Criteria, path: string): void {
  if (criteria.size === 0) {
    throw optionError(
      path,
      'names no membership. Use communityId, productId, pricingPlanId or membershipId. To admit every signed-in visitor, use requireSignIn.',
    );
  }
  if (criteria.has('communityId') && criteria.has('productId')) {
    throw optionError(
      path,
      'names a community and a product, but no membership belongs to both. Use { any: [{ communityId }, { productId }] }.',
    );
  }
  const [types = []] = criteria.size === 1 ? [criteria.get('productType')] : [];
  const [type] = types;
  if (type === undefined) return;
  throw optionError(
    path,
    `names only a productType. Anybody can open a community of their own and become its member, so this would admit everybody. Name your own, such as { communityId: '…' }. To admit the members of any seller, write { productType: '${type}', from: '${ANY_SELLER}' }.`,
  );
}

function matchesAll(criteria: Criteria, membership: SiteMembership): boolean {
  for (const [field, values] of criteria) {
    const value = fieldOf(membership, field);
    if (value === null || !values.has(value)) return false;
  }
  return true;
}

/** All ids are compared in lower case. The directory's already are. */
function fieldOf(membership: SiteMembership, field: CriteriaField): string | null {
  return field === 'membershipId' ? membership.id.toLowerCase() : (membership[field] ?? null);
}

/** Product types that can't belong to a community or a product, whatever the directory says. */
const IMPOSSIBLE_TYPE = { communityId: 'digital_product', productId: 'community' } as const;

function couldMatch(criteria: Criteria, membership: SiteMembership): boolean {
  for (const [field, values] of criteria) {
    if (field === 'communityId' || field === 'productId') {
      if (membership.productType === IMPOSSIBLE_TYPE[field]) return false;
    } else if (field !== 'pricingPlanId') {
      // A service doesn't have to state the product type, so a missing one excludes nothing.
      const value = fieldOf(membership, field) ?? undefined;
      if (value !== undefined && !values.has(value)) return false;
    }
  }
  return true;
}

function compileGroup(
  rule: { any?: readonly MembershipRule[]; all?: readonly MembershipRule[] },
  path: string,
): CompiledRule {
  const [key, ...others] = Object.keys(rule);
  if (others.length > 0 || (key !== 'any' && key !== 'all')) {
    throw optionError(path, 'mixes any or all with other keys. Nest them instead.');
  }
  const parts = rule[key];
  if (!Array.isArray(parts) || parts.length === 0)
    throw optionError(`${path}.${key}`, 'must list at least one rule.');
  // A copy without holes: `map` and `every` skip them, so a list of holes would admit every visitor.
  const rules = [...parts].map((part: MembershipRule, index) => compileRule(part, `${path}.${key}.${index}`));
  const needsDirectory = rules.some((each) => each.needsDirectory);
  if (key === 'any') {
    return {
      needsDirectory,
      matches: (view) => rules.some((each) => each.matches(view)),
      candidates: (view) => distinct(rules.map((each) => each.candidates(view))),
    };
  }
  return {
    needsDirectory,
    matches: (view) => rules.every((each) => each.matches(view)),
    candidates: (view) => {
      const missing = rules.filter((each) => !each.matches(view)).map((each) => each.candidates(view));
      return missing.every((each) => each.length > 0) ? distinct(missing) : [];
    },
  };
}

function distinct(lists: readonly (readonly SiteMembership[])[]): readonly SiteMembership[] {
  return [...new Set(lists.flat())];
}

/** Throws on a non-boolean result: a promise is truthy, so an async predicate would admit every visitor. */
function compilePredicate(predicate: MembershipPredicate): CompiledRule {
  return {
    needsDirectory: true,
    matches: ({ known }) => {
      const result: unknown = predicate(known);
      if (typeof result !== 'boolean') {
        throw new TypeError(
          `A membership rule must return true or false, but this one returned ${isUnusedPromise(result) ? 'a promise. Use a function without await' : typeof result}.`,
        );
      }
      return result;
    },
    candidates: ({ memberships }) => memberships.filter(({ isKnown }) => !isKnown),
  };
}

function listOf(value: unknown, path: string): Set<string> {
  // Without this criterion, the gate would admit more members than it says.
  if (value === undefined)
    throw optionError(path, 'is undefined. Check that its environment variable is set, or leave it out.');
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((each) => typeof each === 'string' && each !== '');
  if (texts.length === 0 || texts.length !== list.length) {
    throw optionError(
      path,
      'must be a non-empty string, or a non-empty list of them. Check that its environment variable is set.',
    );
  }
  if (texts.some((text) => /[\s"'`]/.test(String(text)))) {
    throw optionError(path, 'has white space or quotation marks, so no membership matches it. Remove them.');
  }
  // UUIDs are case-insensitive. Product types are always lower case.
  return new Set(texts.map((text) => String(text).toLowerCase()));
}
