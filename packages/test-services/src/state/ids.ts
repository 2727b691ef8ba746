/** Returns the id of a new resource. */
export type NewId = (now: number) => string;

/** A random id (UUID version 4). */
export const randomId: NewId = () => crypto.randomUUID();

/** An id that begins with its time (UUID version 7). */
export const timeOrderedId: NewId = (now) => {
  const time = now.toString(16).padStart(12, '0');
  const random = crypto.randomUUID().slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
};

/** Returns the id that belongs to a text: always the same one, and another one for another text. */
export function derivedId(text: string): string {
  const hex = [1, 2, 3, 4].map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** FNV-1a with a seed. Ids of tests need no cryptographic hash, and Web Crypto has no synchronous one. */
function hash(text: string, seed: number): number {
  let value = Math.imul(0x811c9dc5, seed);
  for (const character of `${seed} ${text}`) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
    value ^= value >>> 15;
  }
  return value >>> 0;
}
