import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';

const BY_ID: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((rule) => [rule.id, rule]));

/**
 * Returns the rule of a requirement id.
 *
 * @throws RangeError when the id does not exist.
 */
export function ruleOf(id: string): Requirement {
  const rule = BY_ID.get(id);
  if (rule === undefined) throw new RangeError(`ruleOf: there is no requirement ${JSON.stringify(id)}.`);
  return rule;
}
