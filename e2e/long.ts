/** Tag of the tests that only `npm run test:long` runs: variations of a test that `npm test` runs too, pictures, and details of views. */
export const LONG = '@long';

/** Returns the details of one test of a loop: with the tag if only the long form runs it. */
export function longIf(isLong: boolean): { tag: string[] } {
  return { tag: isLong ? [LONG] : [] };
}
