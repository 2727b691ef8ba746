// `npm run test:all`, after `npm test`: repeats its rules elsewhere, and ends like it. Elsewhere is PostgreSQL, the second reading of
// the specification, Firefox, WebKit, the whole Chromium, the packed packages and the guides. It also runs the end-to-end tests that
// are no journeys of `npm test`. `npm run test:long` runs the rest.
import { holdOutput } from './held-output.mjs';
import { check, endToEnd, runTests, vitest, widget } from './test-suites.mjs';

await runTests({
  browsers: ['headless Chromium', 'Chromium', 'Firefox', 'WebKit'],
  needsRedis: true,
  async run(browsers) {
    const elsewhere = vitest('other engines and readings (vitest)', {
      args: ['second', 'all', 'packed'].map((suffix) => `--project=*-${suffix}`),
    });
    await Promise.all([elsewhere, packagesAndWidget(browsers, holdOutput(elsewhere))]);
    await endToEnd('end to end', { projects: await browsers, args: ['--grep-invert', '@long'] });
  },
});

/** Checks the packages as published, and runs the widget's tests of focus and layout in Firefox. */
async function packagesAndWidget(browsers, write) {
  await check('packages as published', { command: 'node', args: ['scripts/check-packages.mjs'], write });
  if (!(await browsers).includes('Firefox')) return;
  await widget('widget', { parts: ['Firefox'], env: { LATCHKEY_WTR_BROWSER: 'Firefox' }, write });
}
