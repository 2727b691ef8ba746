const TINTS = 6;

/** What stands for a client or a person without a picture: up to two letters, and the number of a tint. */
export interface Monogram {
  letters: string;
  /** 0 to 5; the same name always gets the same one. */
  tint: number;
}

/** Makes the monogram of a name. Words that hold no letter or digit (an ampersand) are passed over. */
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
