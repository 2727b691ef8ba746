import type { Membership } from '@latchkey/oauth';
import { LatchkeyOptionsError } from '../platform/options-error.js';

/** Criteria for a membership. With both fields, the same membership must match both. */
export interface MembershipCriteria {
  /** Product types: `community`, `digital_product`, `clipping_campaign`, `agency`. */
  productType?: string | readonly string[];
  /** Membership ids. */
  membershipId?: string | readonly string[];
}

/** Synchronous function of the active memberships. It must return `true` or `false`. */
export type MembershipPredicate = (memberships: readonly Membership[]) => boolean;

/** Condition that a member's active memberships must meet. */
export type MembershipRule =
  | MembershipCriteria
  | MembershipPredicate
  | { any: readonly MembershipRule[] }
  | { all: readonly MembershipRule[] };

/**
 * Turns a rule into a predicate.
 * @throws LatchkeyOptionsError for a rule that would match every visitor or no visitor by mistake: no criteria, an
 * empty list, or an unknown key.
 */
export function compileRule(rule: MembershipRule, path = 'rule'): MembershipPredicate {
  if (typeof rule === 'function') return requireBoolean(rule);
  if (typeof rule !== 'object' || rule === null) {
    throw problem(path, 'must be an object such as { productType: "community" }, or a function.');
  }
  const keys = Object.keys(rule);
  if ('any' in rule || 'all' in rule) return compileGroup(rule, path);
  const unknown = keys.find((key) => key !== 'productType' && key !== 'membershipId');
  if (unknown !== undefined) {
    throw problem(`${path}.${unknown}`, 'is not part of a rule. Use productType, membershipId, any or all.');
  }
  const productTypes = listOf(rule.productType, `${path}.productType`);
  const ids = listOf(rule.membershipId, `${path}.membershipId`);
  if (productTypes === undefined && ids === undefined) {
    throw problem(
      path,
      'names neither productType nor membershipId. To admit every signed-in visitor, use requireSignIn.',
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
  path: string,
): MembershipPredicate {
  const [key, ...others] = Object.keys(rule);
  if (others.length > 0 || (key !== 'any' && key !== 'all')) {
    throw problem(path, 'mixes any or all with other keys. Nest them instead.');
  }
  const parts = rule[key];
  if (!Array.isArray(parts) || parts.length === 0)
    throw problem(`${path}.${key}`, 'must list at least one rule.');
  const predicates = parts.map((part: MembershipRule, index) => compileRule(part, `${path}.${key}.${index}`));
  return key === 'any'
    ? (memberships) => predicates.some((predicate) => predicate(memberships))
    : (memberships) => predicates.every((predicate) => predicate(memberships));
}

/** Throws on a non-boolean result: a promise is truthy, so an async predicate would admit every visitor. */
function requireBoolean(predicate: MembershipPredicate): MembershipPredicate {
  return (memberships) => {
    const result: unknown = predicate(memberships);
    if (typeof result !== 'boolean') {
      throw new TypeError(
        `A membership rule must return true or false, but this one returned ${result instanceof Promise ? 'a promise. Use a function without await' : typeof result}.`,
      );
    }
    return result;
  };
}

function listOf(value: string | readonly string[] | undefined, path: string): Set<string> | undefined {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = typeof value === 'string' ? [value] : value;
  const texts = Array.isArray(list) ? list.filter((each) => typeof each === 'string' && each !== '') : [];
  if (texts.length === 0 || texts.length !== list.length) {
    throw problem(path, 'must be a non-empty string, or a non-empty list of them.');
  }
  // UUIDs are case-insensitive. Product types are always lower case.
  return new Set(texts.map((text) => String(text).toLowerCase()));
}

const problem = (option: string, message: string) => new LatchkeyOptionsError([{ option, message }]);
