import * as z from 'zod';
import { closestName } from './closest-name.js';
import { type Flags, flagName, type Settings } from './flag.js';
import { splitArguments } from './split-arguments.js';
import { UsageError } from './usage-error.js';

/** What settings are read from. */
export interface SettingsInput {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Something that several settings must fulfil together. */
export interface SettingsRule<F extends Flags> {
  /** The settings it looks at; while one of them is unusable by itself, the rule says nothing. */
  about: readonly (keyof F)[];
  holds(settings: Partial<Settings<F>>): boolean;
  /** What is wrong and what to do. */
  problem: string | ((settings: Partial<Settings<F>>) => string);
}

/** Where a setting's text was found, and how it is named there. */
interface Source {
  readonly name: string;
  readonly texts: readonly string[];
}

/** Longer values are cut in messages. */
const SHOWN_LENGTH = 80;

/**
 * Reads a command's settings: the flag wins over the environment's variable, which wins over the fallback. An empty
 * variable counts as not set.
 *
 * @throws UsageError with everything that is wrong, at once.
 */
export function readSettings<F extends Flags>(
  { flags, rules = [] }: { flags: F; rules?: readonly SettingsRule<F>[] },
  { args, env }: SettingsInput,
): Settings<F> {
  const { given, problems } = splitArguments(flags, args);
  const sources = new Map(
    Object.entries(flags).flatMap(([setting, { text }]) => {
      const source = sourceOf({ name: flagName(setting), texts: given.get(setting) }, text, env);
      return source === undefined ? [] : [[setting, source] as const];
    }),
  );
  const raw = Object.fromEntries(
    [...sources].map(([setting, { texts }]) => [
      setting,
      flags[setting]?.takes === 'values' ? texts : texts[0],
    ]),
  );
  const result = settingsSchema(flags, rules).safeParse(raw);
  const unreadable = result.error?.issues.map((issue) => describeIssue(issue, flags, sources)) ?? [];
  if (problems.length > 0 || result.data === undefined) throw new UsageError([...problems, ...unreadable]);
  return result.data as Settings<F>;
}

/** Variables that no command knows but that look like a mistyped one: a note for each. */
export function mistypedVariables(env: SettingsInput['env'], known: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LATCHKEY_') && !known.includes(name))
    .flatMap((name) => {
      const closest = closestName(
        name.slice('LATCHKEY_'.length),
        known.map((variable) => variable.slice('LATCHKEY_'.length)),
      );
      return closest === undefined
        ? []
        : [`The variable ${name} is set, which means nothing. Was it to be LATCHKEY_${closest}?`];
    });
}

function sourceOf(
  flag: { name: string; texts: readonly string[] | undefined },
  { variable, fallback }: Flags[string]['text'],
  env: SettingsInput['env'],
): Source | undefined {
  if (flag.texts !== undefined) return { name: flag.name, texts: flag.texts };
  const inEnvironment = variable === undefined ? '' : (env[variable] ?? '');
  if (variable !== undefined && inEnvironment !== '') return { name: variable, texts: [inEnvironment] };
  return fallback === undefined ? undefined : { name: flag.name, texts: [fallback] };
}

function settingsSchema<F extends Flags>(flags: F, rules: readonly SettingsRule<F>[]): z.ZodType {
  const shape = Object.fromEntries(Object.entries(flags).map(([setting, { schema }]) => [setting, schema]));
  return rules.reduce<z.ZodType>(
    (schema, { about, holds, problem }) =>
      schema.refine((settings) => holds(settings as Partial<Settings<F>>), {
        error: ({ input }) =>
          typeof problem === 'string' ? problem : problem(input as Partial<Settings<F>>),
        // Also while other settings are unusable: all problems are told at once.
        when: ({ issues }) => !issues.some(({ path = [] }) => about.some((setting) => setting === path[0])),
      }),
    z.object(shape),
  );
}

function describeIssue(
  { path, message }: { path: readonly PropertyKey[]; message: string },
  flags: Flags,
  sources: ReadonlyMap<string, Source>,
): string {
  const [setting, index = 0] = path;
  if (setting === undefined) return message;
  const { variable, isSecret = false } = flags[String(setting)]?.text ?? {};
  const source = sources.get(String(setting));
  if (source === undefined) {
    const instead = variable === undefined ? '' : ` (or the variable ${variable})`;
    return `${flagName(String(setting))}${instead} is missing: ${message}.`;
  }
  if (isSecret) return `${source.name} is unusable (it is not shown, it may hold a password): ${message}.`;
  return `${source.name} is ${show(source.texts[Number(index)] ?? '')}: ${message}.`;
}

function show(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}
