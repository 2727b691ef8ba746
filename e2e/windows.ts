/** Tag of the tests that depend on the windows of a browser. `npm test` runs them in a whole Chromium. */
export const WINDOWS = '@windows';

/** Tags of the tests with windows that `npm test` runs in Firefox too. `npm run test:long` runs the other ones in Firefox. */
export const MAIN_FLOW = [WINDOWS, '@main-flow'];
