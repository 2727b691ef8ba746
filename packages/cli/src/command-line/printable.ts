/** Characters that end a line, give a terminal a command or change the direction of text, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** One line of text that is safe to print. Each unprintable character becomes its JSON escape, so JSON keeps its meaning. */
export function printableLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped);
}

/** Text of several lines that is safe to print. */
export function printable(text: string): string {
  return text.split('\n').map(printableLine).join('\n');
}

/** Returns a character as it is written in JSON, such as `\u001b`. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
