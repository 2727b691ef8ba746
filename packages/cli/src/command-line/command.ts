import type { Command } from 'commander';
import type * as z from 'zod';
import { argumentErrors } from './argument-errors.js';
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

/** Adds a command to its parent. */
export function addCommand<Schema extends z.ZodObject>(
  parent: Command,
  definition: CommandDefinition<Schema>,
  context: CommandContext,
): void {
  const { name, summary, settings, examples, notes } = definition;
  const flags = flagsOf(settings);
  const isVariableOnly = ({ meta }: Flag) => meta.isVariableOnly === true;
  const variables = flags.filter(isVariableOnly);
  const options = flags.filter((flag) => !isVariableOnly(flag)).map((flag) => new FlagOption(flag));
  const required = flags.filter(({ isRequired }) => isRequired);
  const command = parent
    .command(name)
    .summary(summary)
    .description(summary)
    .usage([...required.map(flagWithValue), '[flags]'].join(' '))
    .optionsGroup('Flags:')
    // Unknown flags and extra arguments are reported together with invalid values, not one at a time.
    .allowUnknownOption()
    .allowExcessArguments();
  for (const option of options) command.addOption(option);
  if (variables.length > 0) command.addHelpText('after', variableHelp(variables));
  command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n'));
  if (notes !== undefined) command.addHelpText('after', `\n${notes}`);
  command.action(async () => {
    const { given, errors } = readOptions(command, options);
    const values = readSettings(settings, {
      given,
      env: context.env,
      errors: [...argumentErrors(command.args, flags), ...errors],
    });
    context.setExitCode(await definition.run(values, context));
  });
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
