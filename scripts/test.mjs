// `npm test`, the loop of work: runs the checks, each rule once, and the journeys, prints a table, and ends with a line
// `N passed, N failed`. The counts come from the test runners' reports. A step that fails does not stop the others.
// `npm run test:all` and `npm run test:long` run the rest.
import { holdOutput } from './held-output.mjs';
import { check, endToEnd, runTests, vitest, widget } from './test-suites.mjs';

await runTests({
  browsers: ['headless Chromium'],
  async run(browsers) {
    // The tests on Node leave a part of the processor unused, because they wait for databases. So the checks and the tests of the
    // widget run beside them, and their output follows. The journeys need the whole processor: beside the tests on Node, both
    // took twice as long.
    const onNode = vitest('unit and HTTP tests (vitest)', {
      args: ['second', 'all', 'packed', 'long'].map((suffix) => `--project=!*-${suffix}`),
    });
    await Promise.all([onNode, checksAndWidget(browsers, holdOutput(onNode))]);
    await endToEnd('end to end', { projects: ['headless Chromium (journeys)'] });
  },
});

/** Runs the checks and the tests of the widget. */
async function checksAndWidget(browsers, write) {
  await check('format and lint', { command: 'biome', args: ['ci', '--error-on-warnings', '.'], write });
  await check('import rules', {
    command: 'depcruise',
    args: [
      ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
      ...['packages/*/{src,test,bench}', 'demo/src', 'examples', 'e2e'],
    ],
    write,
  });
  await check('dead code', { command: 'knip', args: ['--config', '.knip.json'], write });
  await browsers;
  await widget('widget', { parts: ['Chromium'], write });
}
