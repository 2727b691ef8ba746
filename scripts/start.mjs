// `npm start`: builds stale packages, then runs the sandbox and the demo shops until Ctrl-C.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT } from './command.mjs';

console.log('Building…');
if (!(await build())) process.exit(1);
await import(pathToFileURL(join(ROOT, 'demo/dist/main.js')).href);
