#!/usr/bin/env node
// Node.js versions that can't run the command must still be able to load this file: they get a helpful error instead of
// "No such built-in module: node:sqlite". The rest is imported only after the check.
import { nodeVersionError } from './command-line/node-version.js';

const error = nodeVersionError(process.versions.node);
if (error === undefined) {
  void import('./run-latchkey.js').then(({ main }) => main());
} else {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
