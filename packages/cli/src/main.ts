import { PACKAGE_VERSION } from './command-line/package-version.js';
import { runLatchkey } from './run-latchkey.js';

const code = await runLatchkey({
  args: process.argv.slice(2),
  env: process.env,
  version: PACKAGE_VERSION,
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
});
// process.exit() right away would cut off output that is still being written to a pipe.
process.exitCode = code;
setTimeout(() => process.exit(code), 2_000).unref();
