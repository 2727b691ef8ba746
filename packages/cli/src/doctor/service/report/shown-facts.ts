import { printableLine } from '../../../command-line/printable.js';
import type { CheckedFact, CheckResult } from './check.js';

/** Longest sentence of a report, in characters. The text of a service can be longer. */
const SENTENCE_LENGTH_MAX = 500;

/**
 * Makes results safe to print. Parts of them were written by the service, which can repeat credentials, for example in the
 * names of fields.
 */
export function shownFacts(facts: readonly CheckedFact[], secrets: readonly string[]): CheckedFact[] {
  const shown = (text: string) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return printableLine(shortened(hidden));
  };
  return facts.map((fact) => ({ ...fact, result: shownResult(fact.result, shown) }));
}

function shownResult(result: CheckResult, shown: (text: string) => string): CheckResult {
  if (result.kind === 'not_checked') return { ...result, needs: shown(result.needs) };
  if (result.kind === 'ok') return { ...result, meaning: shown(result.meaning) };
  return { ...result, meaning: shown(result.meaning), action: shown(result.action) };
}

function shortened(text: string): string {
  return text.length <= SENTENCE_LENGTH_MAX ? text : `${text.slice(0, SENTENCE_LENGTH_MAX)}…`;
}
