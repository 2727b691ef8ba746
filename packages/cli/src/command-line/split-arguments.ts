import { parseArgs } from 'node:util';
import { closestName } from './closest-name.js';
import { type Flags, flagName } from './flag.js';

/** A command line taken apart, before any value is read. */
export interface SplitArguments {
  /** The texts that were given for each setting, in order. A flag without a value is `true`. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** What is wrong with the line itself: flags that do not exist, values that are missing or too many. */
  readonly problems: readonly string[];
}

/** Takes a command line apart into the texts of its flags. Unknown flags are problems, with a suggestion. */
export function splitArguments(flags: Flags, args: readonly string[]): SplitArguments {
  const settings = new Map(Object.keys(flags).map((setting) => [flagName(setting).slice(2), setting]));
  const options = Object.fromEntries(
    [...settings].map(([name, setting]) => [
      name,
      { type: flags[setting]?.takes === 'nothing' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const given = new Map<string, string[]>();
  const problems: string[] = [];
  let unknownAt = Number.NaN;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      // Most likely the value of the flag that was mistyped.
      if (token.index === unknownAt + 1) continue;
      problems.push(`"${token.value}" stands alone: every value belongs to a flag.`);
      continue;
    }
    const setting = settings.get(token.name);
    if (setting === undefined || !token.rawName.startsWith('--')) {
      unknownAt = token.index;
      problems.push(unknownFlag(token.rawName, [...settings.keys()]));
      continue;
    }
    const flag = flags[setting];
    const value = flag?.takes === 'nothing' ? (token.value ?? 'true') : token.value;
    // The next flag was not meant to be this one's value.
    if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
      problems.push(
        `${token.rawName} needs a value: ${token.rawName} ${flag?.text.placeholder ?? '<value>'}.`,
      );
      continue;
    }
    const earlier = given.get(setting) ?? [];
    if (earlier.length === 1 && flag?.takes !== 'values')
      problems.push(`${token.rawName} is given more than once.`);
    given.set(setting, [...earlier, value]);
  }
  return { given, problems };
}

function unknownFlag(rawName: string, names: readonly string[]): string {
  const closest = closestName(rawName.replace(/^-+/, ''), names);
  const hint = closest === undefined ? 'See --help for those there are.' : `Did you mean --${closest}?`;
  return `${rawName} is not a flag of this command. ${hint}`;
}
