// `npm run test:long`: runs what `npm test` and `npm run test:all` leave out, and ends like them. These are files that end with
// .long.test.ts, the assumptions turned around, longer races, property tests with new random inputs, the widget's rules in Firefox and
// by the second reading of the specification, and end-to-end tests of variations and details, among them most pictures.
import { RULES } from '../packages/widget/test-files.mjs';
import { FUZZED } from './fuzzed-files.mjs';
import { assumptions, endToEnd, runTests, vitest, widget } from './test-suites.mjs';

/** Ten times the runs of each property, and more kills of processes and rounds of races than in the other runs. */
const LONGER = { LATCHKEY_FUZZ_TIMES: '10', LATCHKEY_KILLS: '16', LATCHKEY_ROUNDS: '40' };
/** Parts of the names of the files that read these variables. */
const RANDOM = [...FUZZED, 'model', 'kill', 'stores/'];

/** Projects of the end-to-end tests that have tests of the long form, by browser. */
const LONG_PARTS = {
  'headless Chromium': ['headless Chromium'],
  Chromium: ['Chromium', 'Chromium @long'],
  Firefox: ['Firefox @long'],
  WebKit: ['WebKit'],
};

await runTests({
  browsers: Object.keys(LONG_PARTS),
  needsRedis: true,
  async run(browsers) {
    await vitest('long tests (vitest)', { args: ['--project=*-long'] });
    const found = await browsers;
    await widget('widget, second reading of the specification', {
      parts: ['Chromium'],
      env: { LATCHKEY_READING: 'second' },
    });
    await widget('widget, rules', {
      parts: ['Firefox'],
      env: { LATCHKEY_WTR_FILES: RULES.join(','), LATCHKEY_WTR_BROWSER: 'Firefox' },
    });
    await assumptions('assumptions turned around');
    await vitest('longer random tests and races (vitest)', {
      args: ['second', 'packed', 'long']
        .map((suffix) => `--project=!*-${suffix}`)
        .concat('--testTimeout=0', ...RANDOM),
      env: LONGER,
    });
    await endToEnd('end to end, variations', {
      projects: found.flatMap((browser) => LONG_PARTS[browser]),
      args: ['--grep', '@long'],
    });
  },
});
