/** Tag of the journeys that `npm test` runs. `npm run test:all` runs the other tests. */
export const JOURNEY = '@journey';

/** Tag of the tests that only `npm run test:long` runs: variations of other tests, pictures, and details of views. */
export const LONG = '@long';

/** Returns the details of one test of a loop: with the tag if only the long form runs it. */
export function longIf(isLong: boolean): { tag: string[] } {
  return { tag: isLong ? [LONG] : [] };
}

/** Tag of the tests that depend on the windows of a browser. The long form runs them in a whole Chromium and in Firefox. */
export const WINDOWS = '@windows';

/** Tags of the main flows. `npm run test:all` repeats them in a whole Chromium and in Firefox. */
export const MAIN_FLOW = [WINDOWS, '@main-flow'];

/** Tags of the tests that fail without a whole Chromium. */
export const WHOLE_CHROMIUM = [WINDOWS, '@whole-chromium'];
