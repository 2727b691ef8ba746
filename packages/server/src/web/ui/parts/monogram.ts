const TINTS = 6;

/** Replacement for a missing picture: up to two letters, and the number of a colour. */
export interface Monogram {
  letters: string;
  /** 0 to 5. It depends only on the name. */
  tint: number;
}

/** Creates the monogram of a name. Words without a letter or digit, such as an ampersand, are skipped. */
export function monogramOf(name: string): Monogram {
  const initials = name
    .split(/\s+/u)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0])
    .filter((initial) => initial !== undefined);
  const letters = [initials[0], initials.length > 1 ? initials.at(-1) : undefined].join('').toUpperCase();
  const sum = Array.from(name).reduce(
    (total, character) => (total * 31 + (character.codePointAt(0) ?? 0)) % 65521,
    7,
  );
  return { letters: letters === '' ? '·' : letters, tint: sum % TINTS };
}
