import type { Flag } from './flag.js';
import { quoted, withoutPasswords } from './quoted.js';
import { suggestion } from './suggestion.js';

/** Errors about the arguments that no flag has consumed. */
export function argumentErrors(args: readonly string[], flags: readonly Flag[]): string[] {
  const errors: string[] = [];
  let followsUnknownFlag = false;
  for (const arg of args) {
    if (arg === '--') continue;
    if (arg.startsWith('-')) {
      errors.push(unknownFlag(arg, flags));
      followsUnknownFlag = !arg.includes('=');
      continue;
    }
    // An argument behind an unknown flag is probably its value.
    if (!followsUnknownFlag) errors.push(`Unexpected argument ${quoted(arg)}. Every value needs a flag.`);
    followsUnknownFlag = false;
  }
  return errors;
}

function unknownFlag(arg: string, flags: readonly Flag[]): string {
  const [name = arg] = arg.split('=', 1);
  const secret = flags.find((flag) => flag.name === name && flag.meta.isVariableOnly === true);
  if (secret !== undefined) {
    return `${name} is not a flag, because other users of the machine can see arguments. Set ${secret.meta.variable}.`;
  }
  const closest = suggestion(
    name.replace(/^-+/, ''),
    flags.filter(({ meta }) => meta.isVariableOnly !== true).map((flag) => flag.name.slice(2)),
  );
  const hint = closest === undefined ? 'See --help for all flags.' : `Did you mean --${closest}?`;
  return `Unknown flag ${withoutPasswords(name)}. ${hint}`;
}
