/** Tag of the tests that depend on the windows of a browser. The long form runs them in a whole Chromium and in Firefox. */
export const WINDOWS = '@windows';

/** Tags of the tests with windows that `npm test` runs in a whole Chromium and in Firefox. */
export const MAIN_FLOW = [WINDOWS, '@main-flow'];

/** Tags of the tests that fail without a whole Chromium. */
export const WHOLE_CHROMIUM = [WINDOWS, '@whole-chromium'];
