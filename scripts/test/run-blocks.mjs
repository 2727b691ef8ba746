// Runs modules in turn, each in its own folder, and sends the result of each to the parent process.
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Milliseconds in which a block can still fail after its top level completed. */
const GRACE_MS = 300;

for (const file of process.argv.slice(2)) {
  process.chdir(dirname(file));
  try {
    await import(pathToFileURL(file).href);
    process.send({});
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
}
setTimeout(() => process.disconnect(), GRACE_MS);
process.once('disconnect', () => process.exit());
