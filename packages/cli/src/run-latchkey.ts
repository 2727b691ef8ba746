import { admin } from './admin/admin.js';
import { closestName } from './command-line/closest-name.js';
import { asksForHelp, type Call, type Command } from './command-line/command.js';
import { CommandFailure } from './command-line/command-failure.js';
import type { Flag } from './command-line/flag.js';
import { columns } from './command-line/help-text.js';
import { mistypedVariables } from './command-line/read-settings.js';
import { UsageError } from './command-line/usage-error.js';
import { migrate } from './migrate/migrate.js';
import { serve } from './serve/serve.js';
import { SERVE_FLAGS } from './serve/serve-flags.js';

const COMMANDS: readonly Command[] = [serve, migrate, admin];

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Every variable that some command reads. */
const VARIABLES = Object.values<Flag>(SERVE_FLAGS).flatMap(({ text: { variable } }) => variable ?? []);

/**
 * Runs a command line.
 * @returns the exit code: 0 done, 1 not done, 2 the command line or the environment is wrong.
 */
export async function runLatchkey(call: Call & { readonly version: string }): Promise<number> {
  for (const note of mistypedVariables(call.env, VARIABLES)) call.tell(note);
  try {
    return await dispatch(call);
  } catch (error) {
    if (error instanceof UsageError) {
      for (const problem of error.problems) call.tell(problem);
      return EXIT_USAGE;
    }
    if (error instanceof CommandFailure) {
      call.tell(error.message);
      return EXIT_FAILED;
    }
    throw error;
  }
}

async function dispatch(call: Call & { readonly version: string }): Promise<number> {
  const [word, ...args] = call.args;
  if (word === '--version' || word === '-v') {
    call.print(call.version);
    return 0;
  }
  const asked = word === 'help' ? args[0] : word;
  if (asked === undefined || asked === '--help' || asked === '-h') {
    call.print(overview(call.version));
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name === asked);
  if (command === undefined) throw unknownCommand(asked);
  const rest = word === 'help' ? args.slice(1) : args;
  if (word === 'help' || asksForHelp(rest)) {
    call.print(command.help(rest).trimEnd());
    return 0;
  }
  return await command.run({ ...call, args: rest });
}

function unknownCommand(word: string): UsageError {
  const closest = closestName(
    word,
    COMMANDS.map(({ name }) => name),
  );
  const hint =
    closest === undefined ? 'See "latchkey --help" for those there are.' : `Did you mean ${closest}?`;
  return new UsageError([`"${word}" is not a command. ${hint}`]);
}

function overview(version: string): string {
  return [
    `latchkey ${version}: a membership service with sign-in, and a sandbox to try integrations in.`,
    '',
    'Usage',
    '  latchkey <command> [flags]',
    '',
    'Commands',
    columns(COMMANDS.map(({ name, summary }) => [name, summary])),
    '',
    '"latchkey <command> --help" tells a command’s flags. To look around: latchkey serve --sandbox',
  ].join('\n');
}
