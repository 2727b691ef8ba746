import { Argument, type Command } from 'commander';
import type * as z from 'zod';
import { type Flag, FlagOption, flagsOf, flagWithValue, NO_VALUE } from './flag.js';
import { type Environment, readSettings } from './read-settings.js';
import { columns, quoted, suggestion, withoutPasswords } from './text.js';

export interface Output {
  /** Writes a line to standard output: the result. */
  print(line: string): void;
  /** Writes a line to standard error: errors, warnings and notes for people. */
  warn(line: string): void;
}

/** A command with settings from one object schema. Its flags and its help are derived from the schema. */
export interface CommandDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** One sentence for the list of commands and the top of the help. */
  readonly summary: string;
  readonly settings: Schema;
  /** Complete command lines for the help. */
  readonly examples: readonly string[];
  /** Paragraph at the end of the help. */
  readonly notes?: string;
  /** @returns the exit code: 0 if it succeeded, else 1. @throws CommandFailure */
  run(settings: z.output<Schema>, output: Output): Promise<number>;
}

export interface CommandContext extends Output {
  readonly env: Environment;
  setExitCode(code: number): void;
}

/** Adds a command to its parent, and returns it, so you can add commands below it. */
export function addCommand<Schema extends z.ZodObject>(
  parent: Command,
  definition: CommandDefinition<Schema>,
  context: CommandContext,
): Command {
  const { name, summary, settings, examples, notes } = definition;
  const flags = flagsOf(settings);
  const isVariableOnly = ({ meta }: Flag) => meta.isVariableOnly === true;
  const isArgument = ({ meta }: Flag) => meta.isArgument === true;
  const variables = flags.filter(isVariableOnly);
  const named = flags.filter((flag) => !isVariableOnly(flag) && !isArgument(flag));
  const options = named.map((flag) => new FlagOption(flag));
  const positional = flags.filter(isArgument);
  const command = parent
    .command(name)
    .summary(summary)
    .description(summary)
    .usage(usageOf(positional, named))
    .optionsGroup('Flags:')
    // Unknown flags and extra arguments are reported together with invalid values, not one at a time.
    .allowUnknownOption()
    .allowExcessArguments();
  for (const { name: argument, meta } of positional) {
    // For commander every argument is optional: a missing one is reported together with all other errors.
    command.addArgument(new Argument(`[${argument.slice(1, -1)}]`, meta.description));
  }
  for (const option of options) command.addOption(option);
  if (variables.length > 0) command.addHelpText('after', variableHelp(variables));
  command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n'));
  if (notes !== undefined) command.addHelpText('after', `\n${notes}`);
  command.action(async () => {
    const { given, errors } = readOptions(command, options);
    const commands = command.commands.map((child) => child.name());
    const { taken, rest } = takeArguments(command.args, positional);
    const values = readSettings(settings, {
      given: new Map([...given, ...taken]),
      env: context.env,
      errors: [...argumentErrors(rest, flags, commands), ...errors],
    });
    context.setExitCode(await definition.run(values, context));
  });
  return command;
}

/** Returns arguments and required flags for the first line of the help. */
function usageOf(positional: readonly Flag[], named: readonly Flag[]): string {
  return [
    ...positional.map(({ name, isRequired }) => (isRequired ? name : `[${name.slice(1, -1)}]`)),
    ...named.filter(({ isRequired }) => isRequired).map(flagWithValue),
    '[flags]',
  ].join(' ');
}

function variableHelp(flags: readonly Flag[]): string {
  const rows = flags.map(({ meta: { variable = '', description = '' } }) => [variable, description] as const);
  return `\nEnvironment only, or in a file named by the variable with _FILE at its end:\n${columns(rows)}`;
}

/** Returns the strings given for each option, and errors about missing or repeated values. */
function readOptions(command: Command, options: readonly FlagOption[]) {
  const given = new Map<string, readonly string[]>();
  const errors: string[] = [];
  for (const option of options) {
    const values: readonly unknown[] | undefined = command.getOptionValue(option.attributeName());
    if (values === undefined) continue;
    errors.push(...countErrors(option.flag, values));
    const texts = values.filter((value) => typeof value === 'string');
    if (texts.length > 0) given.set(option.flag.setting, texts);
  }
  return { given, errors };
}

function countErrors(flag: Flag, values: readonly unknown[]): string[] {
  const { name, takes } = flag;
  const errors: string[] = [];
  if (values.includes(NO_VALUE)) {
    errors.push(
      `${name} needs a value: ${flagWithValue(flag)}. If it starts with a dash, write ${name}=<value>.`,
    );
  }
  if (values.length > 1 && takes !== 'list') errors.push(`${name} is given more than once.`);
  return errors;
}

/** Assigns arguments in order. A value after an unknown flag stays: it probably belongs to that flag. */
function takeArguments(args: readonly string[], positional: readonly Flag[]) {
  const taken = new Map<string, readonly string[]>();
  const rest: string[] = [];
  const missing = [...positional];
  let followsUnknownFlag = false;
  for (const arg of args) {
    const flag = arg.startsWith('-') || followsUnknownFlag ? undefined : missing.shift();
    if (flag === undefined) rest.push(arg);
    else taken.set(flag.setting, [arg]);
    followsUnknownFlag = arg.startsWith('-') && arg !== '--' && !arg.includes('=');
  }
  return { taken, rest };
}

/** Returns errors about the arguments that no flag has consumed. `commands` are the names of the commands below this one. */
function argumentErrors(
  args: readonly string[],
  flags: readonly Flag[],
  commands: readonly string[] = [],
): string[] {
  const errors: string[] = [];
  let followsUnknownFlag = false;
  for (const arg of args) {
    if (arg === '--') continue;
    if (arg.startsWith('-')) {
      errors.push(unknownFlag(arg, flags));
      followsUnknownFlag = !arg.includes('=');
      continue;
    }
    // An argument after an unknown flag is probably its value.
    if (!followsUnknownFlag) errors.push(unexpectedArgument(arg, flags, commands));
    followsUnknownFlag = false;
  }
  return errors;
}

function unexpectedArgument(arg: string, flags: readonly Flag[], commands: readonly string[]): string {
  const closest = suggestion(arg, commands);
  if (closest !== undefined) return `Unknown command ${quoted(arg)}. Did you mean ${closest}?`;
  const hasArguments = commands.length > 0 || flags.some(({ meta }) => meta.isArgument === true);
  const hint = hasArguments ? 'See --help.' : 'Every value needs a flag.';
  return `Unexpected argument ${quoted(arg)}. ${hint}`;
}

function unknownFlag(arg: string, flags: readonly Flag[]): string {
  const [name = arg] = arg.split('=', 1);
  const secret = flags.find((flag) => flag.name === name && flag.meta.isVariableOnly === true);
  if (secret !== undefined) {
    return `${name} is not a flag, because other users of the machine can see arguments. Set ${secret.meta.variable}.`;
  }
  const tried = name.replace(/^-+/, '');
  const named = flags.filter(({ meta }) => meta.isVariableOnly !== true && meta.isArgument !== true);
  const meant = named.find(({ meta }) => meta.alsoCalled?.includes(tried))?.name.slice(2);
  const closest =
    meant ??
    suggestion(
      tried,
      named.map((flag) => flag.name.slice(2)),
    );
  const hint = closest === undefined ? 'See --help for all flags.' : `Did you mean --${closest}?`;
  return `Unknown flag ${withoutPasswords(name)}. ${hint}`;
}
