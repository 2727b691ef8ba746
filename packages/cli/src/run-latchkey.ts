import { Command, CommanderError } from 'commander';
import { addCommand, type CommandContext, type Output } from './command-line/command.js';
import { CommandFailure, failureJson, UsageError } from './command-line/command-failure.js';
import { PACKAGE_VERSION } from './command-line/files.js';
import { flagHelp } from './command-line/flag.js';
import type { Environment } from './command-line/read-settings.js';
import { printableLine, suggestion, withoutPasswords } from './command-line/text.js';
import { KNOWN_VARIABLES, withFolderEnv } from './environment.js';
import { serveCommand } from './serve/serve-command.js';

const PREFIX = 'LATCHKEY_';

/** Returns a warning for each unknown variable that resembles a known one. The rest belong to other programs. */
function unknownVariables(env: Environment, known: readonly string[]): string[] {
  const names = known.map((variable) => variable.slice(PREFIX.length));
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .flatMap((variable) => {
      const closest = suggestion(variable.slice(PREFIX.length), names);
      return closest === undefined ? [] : [`Unknown variable ${variable}. Did you mean ${PREFIX}${closest}?`];
    });
}

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const MISSING_COMMAND = 'Missing command: choose one of those above.';

/** Arguments, environment and output of one run. */
export interface Invocation extends Output {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly version: string;
}

/** Runs a command line. @returns 0 for success, 1 for failure, 2 for an error in the command line or the environment. */
export async function runLatchkey({ args, env, version, print, warn }: Invocation): Promise<number> {
  // A shell shows whatever a completion request writes.
  if (args[0] !== 'complete') unknownVariables(env, KNOWN_VARIABLES).forEach(warn);
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  const commanderOutput = { out: '', err: '' };
  const output = {
    writeOut(text: string) {
      commanderOutput.out += text;
    },
    writeErr(text: string) {
      commanderOutput.err += text;
    },
  };
  try {
    const context = { env, print, warn, setExitCode, output };
    const program = createProgram(version, context, await commandsFor(args));
    await program.parseAsync([...commandArguments(program, args)], { from: 'user' });
    return exitCode;
  } catch (error) {
    const { out, err } = commanderOutput;
    // One write each: a reader such as `head` may close the pipe after the first.
    if (out !== '') print(out.trimEnd());
    const message = withoutPasswords(err.trimEnd());
    if (args.includes('--json') && isUsageError(error)) {
      // Without a command, the message is the help of the group.
      const text = (error as CommanderError).code === 'commander.help' ? MISSING_COMMAND : message;
      const errors = error instanceof UsageError ? error.errors : [text];
      warn(failureJson('usage_error', errors.join('\n')));
      return EXIT_USAGE;
    }
    if (message !== '') warn(message);
    return reportError(error, warn);
  }
}

/** Returns the commands that a command line needs. A service runs for a long time, so `latchkey serve` loads no other command. */
async function commandsFor([first]: readonly string[]): Promise<AddCommands> {
  if (first === serveCommand.name)
    return (program, context) => void addCommand(program, serveCommand, context);
  const { addAllCommands } = await import('./all-commands.js');
  return addAllCommands;
}

/** Returns the arguments for the command tree: `help x y` becomes `x y --help`, which works at every depth. */
function commandArguments(program: Command, args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === undefined || first === 'help') return withKnownHelp(program, [...rest, '--help']);
  return withKnownHelp(program, args);
}

/** Removes the help flag after an unknown command: the error is then about the command, instead of showing its group's help. */
function withKnownHelp(program: Command, args: readonly string[]): readonly string[] {
  let group = program;
  for (const word of args) {
    if (word.startsWith('-') || group.commands.length === 0) return args;
    const known = group.commands.find((command) => command.name() === word);
    if (known === undefined) return args.filter((each) => each !== '--help' && each !== '-h');
    group = known;
  }
  return args;
}

function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof CommanderError && error.exitCode !== 0);
}

/** Prints an error and returns its exit code. */
function reportError(error: unknown, warn: Output['warn']): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') warn(`\n${MISSING_COMMAND}`);
    warn(seeDocs('usage_error'));
    return EXIT_USAGE;
  }
  if (error instanceof UsageError) {
    error.errors.forEach(warn);
    warn(seeDocs('usage_error'));
    return EXIT_USAGE;
  }
  if (error instanceof CommandFailure) {
    warn(error.message);
    if (!error.isJson) warn(seeDocs(error.code));
    return EXIT_FAILURE;
  }
  throw error;
}

/** The codes can come from a sandbox. */
function seeDocs(code: string): string {
  return `See: latchkey explain ${printableLine(code)}`;
}

/** What the command tree works with. */
export interface ProgramContext extends CommandContext {
  /** Receives what commander writes: help and errors about commands. */
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
}

type AddCommands = (program: Command, context: CommandContext) => void;

/** Creates the command tree of `latchkey`, with these commands. */
export function createProgram(
  version: string,
  { output, ...context }: ProgramContext,
  addCommands: AddCommands,
): Command {
  const program = new Command('latchkey')
    .usage('<command> [flags]')
    .optionsGroup('Flags:')
    .description('Latchkey: memberships with sign-in, and a sandbox for developers.')
    .version(version, '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print the help of a command.')
    .helpCommand('help [command]', 'Prints the help of a command.')
    // Otherwise "latchkey serve --version" would print the version.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(output)
    .configureHelp(flagHelp);
  addCommands(program, context);
  return program;
}

export async function main(): Promise<void> {
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
}
