import { type HelpConfiguration, Option } from 'commander';
import type { Flag } from './flag.js';

/** Stands for the missing value of a flag. */
export const NO_VALUE = Symbol('no value');

/** A commander option for a flag. Its value is an array of all given strings. */
export class FlagOption extends Option {
  readonly flag: Flag;

  constructor(flag: Flag) {
    // For commander every value is optional. Otherwise it would stop at the first flag without a value, or use the next
    // flag as the value. Missing values are reported together with all other errors.
    super(`${flag.name} [${placeholderOf(flag)}]`, flag.meta.description);
    this.flag = flag;
    // For commander, "--no-x" would be another value of "--x".
    this.negate = false;
    if (flag.choices.length > 0) this.choices(flag.choices);
    this.preset(flag.takes === 'boolean' ? 'true' : NO_VALUE);
    this.helpGroup(`${flag.meta.group ?? 'Flags'}:`);
    this.hideHelp(flag.meta.isHidden ?? false);
    this.argParser((text, earlier: unknown) => [...(Array.isArray(earlier) ? earlier : []), text]);
  }
}

/** Makes the help show flags with their variables and defaults. */
export const flagHelp: HelpConfiguration = {
  helpWidth: 96,
  subcommandTerm: (command) => command.name(),
  optionTerm: (option) =>
    option instanceof FlagOption && option.flag.takes !== 'boolean'
      ? flagWithValue(option.flag)
      : option.flags,
  optionDescription: (option) =>
    option instanceof FlagOption ? describeFlag(option.flag) : option.description,
};

/** `--port <port>` */
export function flagWithValue(flag: Flag): string {
  return `${flag.name} <${placeholderOf(flag)}>`;
}

function placeholderOf({ takes, meta: { placeholder } }: Flag): string {
  return placeholder ?? (takes === 'boolean' ? 'true|false' : takes === 'number' ? 'number' : 'value');
}

function describeFlag({ takes, choices, isRequired, defaultValue, meta }: Flag): string {
  const isExplained =
    takes === 'boolean' || choices.every((choice) => meta.description?.includes(choice) === true);
  const shownDefault = meta.defaultText ?? (defaultValue === false ? undefined : defaultValue);
  const facts = [
    ...(isRequired ? ['required'] : []),
    ...(takes === 'list' ? ['repeatable'] : []),
    ...(isExplained ? [] : [`one of ${choices.join(', ')}`]),
    ...(meta.variable === undefined ? [] : [`env: ${meta.variable}`]),
    ...(shownDefault === undefined ? [] : [`default: ${String(shownDefault)}`]),
  ];
  return [meta.description ?? '', facts.length === 0 ? '' : `(${facts.join(', ')})`].join(' ').trim();
}
