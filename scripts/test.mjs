// `npm test`: runs every check and the short form of every test, prints a table, and ends with a line `N passed, N failed`. The
// counts come from the test runners' reports. A step that fails does not stop the others. `npm run test:long` runs the rest.
import { run } from './command.mjs';
import { holdOutput } from './held-output.mjs';
import { addRow, headingOf } from './summary.mjs';
import { endToEnd, runTests, vitest, widget } from './test-suites.mjs';

await runTests(async (browsers) => {
  // The tests on Node leave a part of the processor unused, because they wait for databases. So the checks and the tests of the
  // widget run beside them, and their output follows. The end-to-end tests need the whole processor: beside the tests on Node, both
  // took twice as long.
  const onNode = vitest('unit and HTTP tests (vitest)', {
    args: ['--project=!*-second', '--project=!*-all', '--project=!*-long'],
  });
  await Promise.all([onNode, checksAndWidget(browsers, holdOutput(onNode))]);
  await endToEnd('end to end', {
    parts: (await browsers).flatMap((browser) =>
      browser === 'Chromium' ? ['headless Chromium', browser] : [browser],
    ),
    args: ['--grep-invert', '@long'],
  });
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
  await check('packages as published', { command: 'node', args: ['scripts/check-packages.mjs'], write });
  const parts = (await browsers).filter((browser) => browser !== 'WebKit');
  await widget('widget', { parts, write });
}

/** Runs a tool that only succeeds or fails. It counts as one test. */
async function check(name, { command, args, write }) {
  write(headingOf(name));
  const { code } = await run(command, args, { write });
  addRow({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
}
