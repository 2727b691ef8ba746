import type { ParseArgsConfig, parseArgs } from 'node:util';

/** Number that an option gives. */
export interface NumberOption {
  name: string;
  text: string;
  /** @default 1 */
  least?: number;
  /** @default true */
  isWhole?: boolean;
}
/** Reads the options of a command. `--help` prints the usage; a wrong option ends the process with code 2. */
export declare function commandOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>>;
/** Prints why the options cannot be used, and the usage. Ends the process with code 2. */
export declare function rejectOptions(usage: string, reason: string): never;
/** Returns the value of an option as a number. A wrong one ends the process with code 2. */
export declare function numberOption(usage: string, option: NumberOption): number;
