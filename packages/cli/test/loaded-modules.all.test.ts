import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ADMIN_COMMANDS } from '../src/admin/admin-command.js';
import { conformanceCommand } from '../src/conformance/conformance-command.js';
import { CONTROL_COMMANDS } from '../src/control/add-control-commands.js';
import { doctorCommand } from '../src/doctor/doctor-command.js';
import { mcpCommand } from '../src/mcp/mcp-command.js';
import { migrateCommand } from '../src/migrate/migrate-command.js';
import { sandboxCommand } from '../src/sandbox/sandbox-command.js';
import { serveCommand } from '../src/serve/serve-command.js';
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
  [['admin', 'create', 'user', '--email', 'ada']],
  [['clock', 'advance', '31d']],
  [['mcp', '--help']],
  [['serve', '--help']],
] as const)('%j loads neither the server nor its libraries', async ([args]) => {
  const loaded = await modulesOf(args);
  expect(loaded).toMatch(/\/cli\/dist\/chunks\/run-latchkey-[\w-]+\.js$/m);
  expect(loaded).not.toMatch(/\/(?:server|sandbox)\/dist\//);
  expect(loaded).not.toMatch(
    /\/node_modules\/(?:express|helmet|kysely|pg|pino|preact|nodemailer|@modelcontextprotocol)\//,
  );
});

it('serve loads no other command, whose memory a service would keep', async () => {
  const urls = (await modulesOf(['serve', '--help'])).match(/^file:.*\/cli\/dist\/.*\.js$/gm) ?? [];
  const code = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8')).join('\n');
  const commands = [
    ...[serveCommand, sandboxCommand, migrateCommand, doctorCommand, mcpCommand, conformanceCommand],
    ...ADMIN_COMMANDS,
    ...CONTROL_COMMANDS.map(({ command }) => command),
  ];
  const loaded = commands.filter(({ summary }) => code.includes(summary)).map(({ name }) => name);
  expect(loaded).toEqual(['serve']);
});

/** Returns the URL of each module that a command line loads, one a line, among the lines of its standard error. */
async function modulesOf(args: readonly string[]): Promise<string> {
  const latchkey = startLatchkey(args, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT_MODULES)}`,
  });
  await latchkey.ended;
  return latchkey.err();
}
