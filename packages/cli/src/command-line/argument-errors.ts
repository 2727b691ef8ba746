import type { Flag } from './flag.js';
import { quoted, withoutPasswords } from './quoted.js';
import { suggestion } from './suggestion.js';

/** Errors about the arguments that no flag has consumed. `commands` are the names of the command's own commands. */
export function argumentErrors(
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
    // An argument behind an unknown flag is probably its value.
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
  const closest = suggestion(
    name.replace(/^-+/, ''),
    flags
      .filter(({ meta }) => meta.isVariableOnly !== true && meta.isArgument !== true)
      .map((flag) => flag.name.slice(2)),
  );
  const hint = closest === undefined ? 'See --help for all flags.' : `Did you mean --${closest}?`;
  return `Unknown flag ${withoutPasswords(name)}. ${hint}`;
}
