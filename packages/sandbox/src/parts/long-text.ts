/** A function that every string in a sample passes through. */
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

/** Makes a string 1.4 times as long, like a translation, with accented letters: `Save` becomes `Sávë··`. */
export function longText(text: string): string {
  const accented = text.replace(/[aeiouAEIOU]/g, (letter) => ACCENTED[letter] ?? letter);
  return `${accented}${'·'.repeat(Math.ceil(text.length * 0.4))}`;
}
