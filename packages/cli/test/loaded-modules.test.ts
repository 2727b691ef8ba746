import { expect, it } from 'vitest';
import { startLatchkey } from './running-latchkey.js';

/** Program that makes Node.js write the URL of each module that it loads to standard error. */
const REPORT_MODULES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, nextLoad) {
      process.stderr.write(url + '\\n');
      return nextLoad(url, context);
    },
  });`;

it.for([
  [['--version']],
  [['--help']],
  [['admin', '--help']],
  [['admin', 'create-user', '--email', 'ada']],
  [['clock', 'advance', '31d']],
  [['mcp', '--help']],
] as const)('%j loads neither the server nor its libraries', async ([args]) => {
  const latchkey = startLatchkey(args, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT_MODULES)}`,
  });
  await latchkey.ended;
  const loaded = latchkey.err();
  expect(loaded).toMatch(/\/cli\/dist\/chunks\/main-[\w-]+\.js$/m);
  expect(loaded).not.toMatch(/\/(?:server|sandbox)\/dist\//);
  expect(loaded).not.toMatch(
    /\/node_modules\/(?:express|helmet|kysely|pg|pino|preact|nodemailer|@modelcontextprotocol)\//,
  );
});
