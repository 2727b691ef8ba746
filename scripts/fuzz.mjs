// `npm run fuzz -- --runs 100000 --seed 42`: runs the tests that fuzz the parsers, longer than `npm test` does. A failing
// property prints its seed; the same seed repeats it. Further arguments select test files.
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ROOT, run } from './command.mjs';
import { commandOptions, numberOption } from './command-options.mjs';
import { FUZZED } from './fuzzed-files.mjs';

const USAGE =
  'npm run fuzz [-- --runs <runs per property>] [--seed <seed of a failure>] [part of a file name …]';
const { values, positionals } = commandOptions(USAGE, {
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string' },
  },
});

numberOption(USAGE, { name: 'runs', text: values.runs });
if (values.seed !== undefined) numberOption(USAGE, { name: 'seed', text: values.seed, least: -(2 ** 31) });
if (!(await build({ tests: true }))) process.exit(1);
const env = {
  LATCHKEY_FUZZ_RUNS: values.runs,
  ...(values.seed !== undefined && { LATCHKEY_FUZZ_SEED: values.seed }),
};
const files = positionals.length > 0 ? positionals : FUZZED;
const { code } = await run('vitest', ['run', '--root', 'packages', '--testTimeout', '0', ...files], { env });
process.exitCode = code;

// The widget's parsers run in a browser.
if (positionals.length === 0) {
  const widget = await run('web-test-runner', ['--config', 'web-test-runner.config.mjs'], {
    cwd: join(ROOT, 'packages/widget'),
    env: {
      ...env,
      LATCHKEY_HEADLESS_SHELL: await ensureChromium(),
      LATCHKEY_WTR_FILES: 'test/fuzz.browser.test.ts',
    },
  });
  process.exitCode ||= widget.code;
}
