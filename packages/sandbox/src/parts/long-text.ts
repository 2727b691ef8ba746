/** Function that every text of a sample passes through. */
export type TextOf = (text: string) => string;

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ö',
  u: 'ü',
  A: 'Å',
  E: 'É',
  I: 'Ï',
  O: 'Ø',
  U: 'Ü',
};

/** Lengthens a text to 1.4 times its length, as translations do, with letters of other alphabets: `Save` is `Sávë··`. */
export function longText(text: string): string {
  const accented = text.replace(/[aeiouAEIOU]/g, (letter) => ACCENTED[letter] ?? letter);
  return `${accented}${'·'.repeat(Math.ceil(text.length * 0.4))}`;
}
