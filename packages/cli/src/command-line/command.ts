import type { SettingsInput } from './read-settings.js';

/** What a command is called with. */
export interface Call extends SettingsInput {
  /** Writes a line to standard output: what was asked for. */
  print(line: string): void;
  /** Writes a line to standard error: what a person should know besides. */
  tell(line: string): void;
}

/** A word behind `latchkey`. */
export interface Command {
  readonly name: string;
  /** For the list of commands. */
  readonly summary: string;
  help(args: readonly string[]): string;
  /**
   * Does it.
   * @returns the exit code: 0 done, 1 not.
   * @throws UsageError, CommandFailure
   */
  run(call: Call): Promise<number>;
}

/** Whether a command line asks for help. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}
