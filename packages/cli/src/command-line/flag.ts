import * as z from 'zod';

/** What the help tells of a flag. */
export interface FlagText {
  /** What it does; begins with a capital, ends with a full stop. */
  summary: string;
  /** What stands for the value in the help: `<port>`. */
  placeholder?: string;
  /** The environment variable that gives the value when the flag is not there. */
  variable?: string;
  /** The heading in the help that it stands under. */
  heading?: string;
  /** The value when none is given, as somebody would type it. */
  fallback?: string;
  /** What stands for {@link fallback} in the help, when it depends on other flags. */
  fallbackText?: string;
  /** The value may hold a password: it is never shown. */
  isSecret?: boolean;
}

/** One flag of a command: how it reads its text, and what the help tells of it. */
export interface Flag<Schema extends z.ZodType = z.ZodType> {
  readonly takes: 'value' | 'values' | 'nothing';
  readonly schema: Schema;
  /** Whether nothing stands in for it when it is left out. */
  readonly mustBeGiven: boolean;
  readonly text: FlagText;
}

/** A command's flags by the names of their settings: `baseUrl` is `--base-url`. */
export type Flags = Readonly<Record<string, Flag>>;

/** What a command's flags come to. */
export type Settings<F extends Flags> = z.output<
  z.ZodObject<{ -readonly [Name in keyof F]: F[Name]['schema'] }>
>;

/** How a text becomes a value. */
export interface Reader<Value> {
  /** What to give instead of an unusable text: `give a whole number from 0 to 65535`. */
  readonly fix: string;
  /** `undefined` when the text is unusable. */
  read(text: string): Value | undefined;
}

/** A flag with one value that must be given, here or by its fallback. */
export function required<Value>(reader: Reader<Value>, text: FlagText) {
  const mustBeGiven = text.fallback === undefined;
  return { takes: 'value', schema: schemaOf(reader), mustBeGiven, text } as const;
}

/** A flag with one value that may be left out; the setting is then not there. */
export function optional<Value>(reader: Reader<Value>, text: FlagText) {
  return { takes: 'value', schema: z.exactOptional(schemaOf(reader)), mustBeGiven: false, text } as const;
}

/** A flag that is given once for each value, at least once. */
export function requiredList<Value>(reader: Reader<Value>, text: FlagText) {
  return {
    takes: 'values',
    schema: z.array(schemaOf(reader), { error: reader.fix }),
    mustBeGiven: true,
    text,
  } as const;
}

/** A flag that is given once for each value; the setting is not there without one. */
export function optionalList<Value>(reader: Reader<Value>, text: FlagText) {
  return {
    takes: 'values',
    schema: z.exactOptional(z.array(schemaOf(reader))),
    mustBeGiven: false,
    text,
  } as const;
}

/** A flag that is there or not; `--name=false` takes back what the environment says. */
export function toggle(text: FlagText) {
  return {
    takes: 'nothing',
    schema: schemaOf(truth),
    mustBeGiven: false,
    text: { fallback: 'false', ...text },
  } as const;
}

/** A flag that is there or not, and whose absence changes nothing. */
export function optionalToggle(text: FlagText) {
  return { takes: 'nothing', schema: z.exactOptional(schemaOf(truth)), mustBeGiven: false, text } as const;
}

/** `--base-url` for `baseUrl`. */
export function flagName(setting: string): string {
  return `--${setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const truth: Reader<boolean> = {
  fix: 'give true or false',
  read(text) {
    const lower = text.toLowerCase();
    if (['true', '1', 'yes', 'on'].includes(lower)) return true;
    return ['false', '0', 'no', 'off'].includes(lower) ? false : undefined;
  },
};

function schemaOf<Value>({ fix, read }: Reader<Value>) {
  return z.string({ error: fix }).transform((text, context): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: fix });
    return z.NEVER;
  });
}
