/**
 * Characters with which text can control a terminal or change the order in which it shows other text: C0 and C1 controls,
 * line separators, and marks and overrides of the writing direction.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** One line of text without control characters. Each one becomes its JSON escape, so JSON keeps its meaning. */
export function printableLine(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text of several lines without control characters. */
export function printable(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}
