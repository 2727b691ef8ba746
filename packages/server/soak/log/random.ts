/** Random choices that a seed determines. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** Integer of at least `min` and at most `max`. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
  /** Independent numbers for a part of the run, so that its choices do not depend on the timing of others. */
  fork(part: number): Random;
}

/** Creates the random numbers of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
    chance: (probability) => next() < probability,
    fork: (part) => createRandom(Math.imul(seed ^ 0x9e3779b9, part + 1)),
  };
}
