import { PACKAGE_VERSION } from './command-line/package-version.js';
import { withFolderEnv } from './folder-env.js';
import { runLatchkey } from './run-latchkey.js';

let isOutputLost = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader such as `head` closes the pipe when it has enough.
  if (isOutputLost || code === 'EPIPE') return;
  isOutputLost = true;
  process.stderr.write(`The output could not be written (${code}).\n`);
  process.exitCode = 1;
});
// No other stream could report the error, and a service goes on even if nobody reads its log.
process.stderr.on('error', () => {});

const args = process.argv.slice(2);
const code = await runLatchkey({
  args,
  env: withFolderEnv(args, process.cwd(), process.env),
  version: PACKAGE_VERSION,
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
});
// process.exit() right away would cut off output that is still being written to a pipe.
process.exitCode = isOutputLost ? 1 : code;
setTimeout(() => process.exit(), 2_000).unref();
