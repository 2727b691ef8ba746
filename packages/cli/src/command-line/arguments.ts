import type { Flag } from './flag.js';

/** Values of the arguments without a name, by setting, and everything else. */
interface TakenArguments {
  readonly taken: ReadonlyMap<string, readonly string[]>;
  readonly rest: readonly string[];
}

/** Assigns arguments in their order. A value behind an unknown flag stays: it probably belongs to that flag. */
export function takeArguments(args: readonly string[], positional: readonly Flag[]): TakenArguments {
  const taken = new Map<string, readonly string[]>();
  const rest: string[] = [];
  const missing = [...positional];
  let followsUnknownFlag = false;
  for (const arg of args) {
    const flag = arg.startsWith('-') || followsUnknownFlag ? undefined : missing.shift();
    if (flag === undefined) rest.push(arg);
    else taken.set(flag.setting, [arg]);
    followsUnknownFlag = arg.startsWith('-') && arg !== '--' && !arg.includes('=');
  }
  return { taken, rest };
}
