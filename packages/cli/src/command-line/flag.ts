import { type HelpConfiguration, Option } from 'commander';
import * as z from 'zod';

declare module 'zod' {
  /** Metadata, in addition to `description`, that turns a schema's field into a flag. */
  interface GlobalMeta {
    /** Name of the flag, without dashes. @default the field's name in kebab-case */
    flag?: string;
    /** Names that people try instead, without dashes. The error about them suggests the flag. */
    alsoCalled?: readonly string[];
    /** Name of the value in the help, without brackets. @default 'value' */
    placeholder?: string;
    /** Environment variable to read if the flag is absent. */
    variable?: string;
    /** Heading in the help. */
    group?: string;
    /** What the help shows as the default if it depends on other settings. */
    defaultText?: string;
    /** True if the value may contain a password. Messages hide it, and it can be in a file. @default false */
    isSecret?: boolean;
    /** True if the help leaves the flag out. @default false */
    isHidden?: boolean;
    /** True if the value can't be a flag: other users of the machine can see arguments. @default false */
    isVariableOnly?: boolean;
    /** True for a positional argument. Arguments have the order of the fields. @default false */
    isArgument?: boolean;
  }
}

/** A flag, derived from one field of a zod object schema. */
export interface Flag {
  readonly setting: string;
  /** `--base-url` for the field `baseUrl`, `<duration>` for an argument. */
  readonly name: string;
  readonly takes: 'text' | 'number' | 'boolean' | 'list';
  /** Allowed values, if the schema lists them. */
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  /** True if null is a value. An empty string stands for it. */
  readonly isNullable: boolean;
  readonly defaultValue: unknown;
  readonly meta: z.GlobalMeta;
}

const knownFlags = new WeakMap<z.ZodObject, readonly Flag[]>();

/** Returns the flags of an object schema, in the order of its fields. Derived only once. */
export function flagsOf(settings: z.ZodObject): readonly Flag[] {
  const flags = knownFlags.get(settings) ?? Object.entries(settings.shape).map(flagOf);
  knownFlags.set(settings, flags);
  return flags;
}

function flagOf([setting, field]: [string, unknown]): Flag {
  const schema = field as z.ZodType;
  const { inner, meta, defaultValue, isNullable } = unwrap(schema);
  return {
    setting,
    name: nameOf(setting, meta, takenBy(inner)),
    takes: takenBy(inner),
    choices: choicesOf(inner),
    // By default zod compiles an object schema before it parses, which isn't worth it here: at each start, each flag's
    // schema parses once.
    isRequired: !z.object({ [setting]: schema }).safeParse({}, { jitless: true }).success,
    isNullable,
    defaultValue,
    meta,
  };
}

/** Lists have one flag per value: `--redirect-uri` for `redirectUris`. */
function nameOf(
  setting: string,
  { flag, placeholder, isArgument }: z.GlobalMeta,
  takes: Flag['takes'],
): string {
  const name = kebabCase(setting);
  if (isArgument) return `<${placeholder ?? name}>`;
  return `--${flag ?? (takes === 'list' ? name.replace(/s$/, '') : name)}`;
}

/** Returns the variable for the path of a file with another variable's value. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** Returns `base-url` for `baseUrl`. */
export function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Removes the layers around a schema. The innermost one receives the input. Metadata of the outer ones wins. */
function unwrap(
  schema: z.ZodType,
): Pick<Flag, 'meta' | 'defaultValue' | 'isNullable'> & { inner: z.ZodType } {
  const meta = z.globalRegistry.get(schema);
  const next = nextLayer(schema);
  if (next === undefined)
    return { inner: schema, meta: { ...meta }, defaultValue: undefined, isNullable: false };
  const { inner, meta: innerMeta, defaultValue, isNullable } = unwrap(next);
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return {
    inner,
    meta: { ...innerMeta, ...meta },
    defaultValue: hasDefault ? schema.def.defaultValue : defaultValue,
    isNullable: isNullable || schema instanceof z.ZodNullable,
  };
}

function nextLayer(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return isWrapper ? (schema.unwrap() as z.ZodType) : undefined;
}

function takenBy(schema: z.ZodType): Flag['takes'] {
  if (schema instanceof z.ZodArray) return 'list';
  if (isTruth(schema)) return 'boolean';
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}

function choicesOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodArray) return choicesOf(schema.element as z.ZodType);
  if (isTruth(schema))
    return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : ['true', 'false'];
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function isTruth(schema: z.ZodType): boolean {
  return (
    schema instanceof z.ZodBoolean ||
    (schema instanceof z.ZodLiteral && [...schema.values].every((value) => typeof value === 'boolean'))
  );
}

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
