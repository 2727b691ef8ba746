import type { CheckedFact, CheckResult } from './check.js';

/** Characters that end a line, give a terminal a command or change the direction of text, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Longest sentence of a report, in characters. The text of a service can be longer. */
const SENTENCE_LENGTH_MAX = 500;

/**
 * Makes results safe to print. Parts of them were written by the service, which can repeat credentials, for example in the
 * names of fields.
 */
export function shownFacts(facts: readonly CheckedFact[], secrets: readonly string[]): CheckedFact[] {
  const shown = (text: string) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return shortened(hidden).replaceAll(UNPRINTABLE, escaped);
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

/** Returns a character as it is written in JSON, such as `\u001b`. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
