import type { Membership } from '@latchkey/oauth';
import { LatchkeyOptionsError } from '../options-error.js';

/** What a membership must be like. With both fields, one membership must satisfy both. */
export interface MembershipCriteria {
  /** One of these kinds: `community`, `digital_product`, `clipping_campaign`, `agency`. */
  productType?: string | readonly string[];
  /** One of these memberships. */
  membershipId?: string | readonly string[];
}

/** Decides over the memberships that run now. Must answer `true` or `false` at once. */
export type MembershipPredicate = (memberships: readonly Membership[]) => boolean;

/** Who may pass a gate. */
export type MembershipRule =
  | MembershipCriteria
  | MembershipPredicate
  | { any: readonly MembershipRule[] }
  | { all: readonly MembershipRule[] };

/**
 * Turns a rule into a predicate.
 * @throws LatchkeyOptionsError for a rule that would let everybody or nobody pass by mistake: no criteria, an empty
 * list, a key that is misspelt.
 */
export function compileRule(rule: MembershipRule, where = 'rule'): MembershipPredicate {
  if (typeof rule === 'function') return strictPredicate(rule);
  if (typeof rule !== 'object' || rule === null) {
    throw problem(where, 'must be an object such as { productType: "community" }, or a function.');
  }
  const keys = Object.keys(rule);
  if ('any' in rule || 'all' in rule) return compileGroup(rule, where);
  const unknown = keys.find((key) => key !== 'productType' && key !== 'membershipId');
  if (unknown !== undefined) {
    throw problem(`${where}.${unknown}`, 'is not part of a rule; use productType, membershipId, any or all.');
  }
  const productTypes = listOf(rule.productType, `${where}.productType`);
  const ids = listOf(rule.membershipId, `${where}.membershipId`);
  if (productTypes === undefined && ids === undefined) {
    throw problem(
      where,
      'names neither productType nor membershipId, so it says nothing; use requireSignIn for every visitor with an account.',
    );
  }
  return (memberships) =>
    memberships.some(
      ({ id, productType }) =>
        (productTypes?.has(productType) ?? true) && (ids?.has(id.toLowerCase()) ?? true),
    );
}

function compileGroup(
  rule: { any?: readonly MembershipRule[]; all?: readonly MembershipRule[] },
  where: string,
): MembershipPredicate {
  const [key, ...others] = Object.keys(rule);
  if (others.length > 0 || (key !== 'any' && key !== 'all')) {
    throw problem(where, 'mixes any or all with other keys; nest them instead.');
  }
  const parts = rule[key];
  if (!Array.isArray(parts) || parts.length === 0)
    throw problem(`${where}.${key}`, 'must list at least one rule.');
  const predicates = parts.map((part: MembershipRule, index) =>
    compileRule(part, `${where}.${key}.${index}`),
  );
  return key === 'any'
    ? (memberships) => predicates.some((predicate) => predicate(memberships))
    : (memberships) => predicates.every((predicate) => predicate(memberships));
}

/** A promise is truthy: a predicate that turned out asynchronous would let everybody in. */
function strictPredicate(predicate: MembershipPredicate): MembershipPredicate {
  return (memberships) => {
    const verdict: unknown = predicate(memberships);
    if (typeof verdict !== 'boolean') {
      throw new TypeError(
        `A membership rule must return true or false, this one returned ${verdict instanceof Promise ? 'a promise: decide without await' : typeof verdict}.`,
      );
    }
    return verdict;
  };
}

function listOf(value: string | readonly string[] | undefined, where: string): Set<string> | undefined {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = typeof value === 'string' ? [value] : value;
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === 'string' && each !== '') : [];
  if (texts.length === 0 || texts.length !== list.length) {
    throw problem(where, 'must be a non-empty string, or a non-empty list of them.');
  }
  // UUIDs ignore case; product types are lower case as they are.
  return new Set(texts.map((text) => String(text).toLowerCase()));
}

const problem = (option: string, message: string) => new LatchkeyOptionsError([{ option, message }]);
