import { Argument, type Command } from 'commander';
import type * as z from 'zod';
import { argumentErrors } from './argument-errors.js';
import { takeArguments } from './arguments.js';
import { columns } from './columns.js';
import { type Flag, flagsOf } from './flag.js';
import { FlagOption, flagWithValue, NO_VALUE } from './flag-option.js';
import { type Environment, readSettings } from './read-settings.js';

/** Where a command writes. */
export interface Output {
  /** Writes a line to standard output: the result. */
  print(line: string): void;
  /** Writes a line to standard error: errors, warnings and notes for people. */
  warn(line: string): void;
}

/** A command with settings that come from one object schema: its flags and its help are derived from it. */
export interface CommandDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** One sentence for the list of commands and the top of the help. */
  readonly summary: string;
  readonly settings: Schema;
  /** Complete command lines for the help. */
  readonly examples: readonly string[];
  /** Paragraph at the end of the help. */
  readonly notes?: string;
  /**
   * Runs the command.
   *
   * @returns the exit code: 0 if it succeeded, else 1.
   * @throws CommandFailure
   */
  run(settings: z.output<Schema>, output: Output): Promise<number>;
}

/** Surroundings of a command. */
export interface CommandContext extends Output {
  readonly env: Environment;
  setExitCode(code: number): void;
}

/** Adds a command to its parent, and returns it, so that it can get commands of its own. */
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
    // To commander every argument is optional: a missing one is reported together with all other errors.
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

/** Arguments and required flags, as the first line of the help shows them. */
function usageOf(positional: readonly Flag[], named: readonly Flag[]): string {
  return [
    ...positional.map(({ name, isRequired }) => (isRequired ? name : `[${name.slice(1, -1)}]`)),
    ...named.filter(({ isRequired }) => isRequired).map(flagWithValue),
    '[flags]',
  ].join(' ');
}

/** Help of the values that only the environment provides. */
function variableHelp(flags: readonly Flag[]): string {
  const rows = flags.map(({ meta: { variable = '', description = '' } }) => [variable, description] as const);
  return `\nEnvironment only, or in a file named by the variable with _FILE at its end:\n${columns(rows)}`;
}

/** The texts of the options that are present, and errors about missing or repeated values. */
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
