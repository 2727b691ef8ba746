import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UsageError } from './command-failure.js';
import { type Flag, fileVariable, flagsOf } from './flag.js';
import { quoted } from './text.js';

const DISJUNCTION = new Intl.ListFormat('en', { type: 'disjunction' });

/** Messages for zod's issues without one. Each completes "--flag: …; got "value"". */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${DISJUNCTION.format(issue.values.map(String))}`;
    case 'invalid_type':
      return TYPE_TEXTS[issue.expected];
    case 'too_small':
      return issue.origin === 'array' ? 'must have at least one value' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
};

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  int: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsInput {
  /** Strings given by flags, by setting. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly env: Environment;
  /** Errors in the command line itself, reported together with errors in the values. */
  readonly errors?: readonly string[];
}

/** The strings given for a setting, and the flag or variable they come from. */
interface Source {
  readonly name: string;
  readonly texts: readonly string[];
}

const NUMBER = /^-?\d{1,16}(?:\.\d+)?$/;
const truth = z.stringbool();

/**
 * Reads a command's settings. A flag wins over its environment variable, which wins over the default. An empty variable
 * counts as absent.
 *
 * @throws UsageError with all errors at once.
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  { given, env, errors: argumentErrors = [] }: SettingsInput,
): z.output<Schema> {
  const errors = [...argumentErrors];
  const flags = new Map(flagsOf(schema).map((flag) => [flag.setting, flag]));
  const sources = new Map<string, Source>();
  const raw: Record<string, unknown> = {};
  for (const [setting, flag] of flags) {
    const source = findSource(flag, given.get(setting), env);
    if (source.kind === 'failure') errors.push(source.error);
    if (source.kind !== 'found') continue;
    sources.set(setting, source);
    raw[setting] = rawValue(flag, source.texts);
  }
  const result = schema.safeParse(raw, { error: issueText });
  for (const issue of result.error?.issues ?? []) {
    const flag = flags.get(String(issue.path[0]));
    errors.push(flag === undefined ? issue.message : describeIssue(issue, flag, sources.get(flag.setting)));
  }
  if (errors.length > 0 || !result.success) throw new UsageError(errors);
  return result.data;
}

type FoundSource = ({ kind: 'found' } & Source) | { kind: 'absent' } | { kind: 'failure'; error: string };

function findSource(
  { name, meta: { variable, isSecret = false } }: Flag,
  texts: readonly string[] | undefined,
  env: Environment,
): FoundSource {
  if (texts !== undefined) return { kind: 'found', name, texts };
  if (variable === undefined) return { kind: 'absent' };
  const value = env[variable] ?? '';
  const path = isSecret ? (env[fileVariable(variable)] ?? '') : '';
  if (path === '') {
    return value === '' ? { kind: 'absent' } : { kind: 'found', name: variable, texts: [value] };
  }
  if (value === '') return readSecretFile(fileVariable(variable), path);
  return { kind: 'failure', error: `${variable} and ${fileVariable(variable)} are both set. Remove one.` };
}

function readSecretFile(name: string, path: string): FoundSource {
  try {
    return { kind: 'found', name, texts: [readFileSync(path, 'utf8').trimEnd()] };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { kind: 'failure', error: `${name}: cannot read the file ${quoted(path)} (${code}).` };
  }
}

/** Converts strings to the schema's input type. One that can't be converted stays, and the schema rejects it. */
function rawValue({ takes, isNullable }: Flag, texts: readonly string[]): unknown {
  const [text = ''] = texts;
  if (isNullable && text === '') return null;
  switch (takes) {
    case 'list':
      // A single empty value is an empty list.
      return texts.length === 1 && text === '' ? [] : texts;
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return truth.safeParse(text).data ?? text;
    case 'text':
      return text;
  }
}

function describeIssue(
  { path, message }: z.core.$ZodIssue,
  { name, isRequired, meta: { description = '', variable, isSecret = false, isVariableOnly } }: Flag,
  source: Source | undefined,
): string {
  if (source === undefined) {
    if (!isRequired) return `${name}: ${message}`;
    if (isVariableOnly && variable !== undefined) return `${variable} is required: ${description}`;
    const alternative = variable === undefined ? '' : ` (or ${variable})`;
    return `${name}${alternative} is required: ${description}`;
  }
  if (isSecret) return `${source.name}: ${message}. The value is hidden because it may contain a password.`;
  const value = quoted(source.texts[Number(path[1] ?? 0)] ?? '');
  // The service's messages are whole sentences.
  return message.endsWith('.')
    ? `${source.name}: ${message} Received ${value}.`
    : `${source.name}: ${message}; got ${value}.`;
}
