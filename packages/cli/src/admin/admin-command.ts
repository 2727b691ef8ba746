import type { Operator } from '@latchkey/server';
import type { Flags, Settings } from '../command-line/flag.js';
import type { SettingsRule } from '../command-line/read-settings.js';

/** What an admin command did. */
export interface AdminOutcome {
  /** One sentence for people. */
  readonly done: string;
  /** The facts, for people and machines: ids, and secrets that are told this once. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
  /** Names of the facts that cannot be asked for again. */
  readonly shownOnce?: readonly string[];
}

/** One row of the table of admin commands, with its own flags. */
export interface AdminCommandDefinition<F extends Flags> {
  readonly name: string;
  readonly summary: string;
  readonly flags: F;
  readonly rules?: readonly SettingsRule<F>[];
  /** Whether it has to know the service's origin. Default false. */
  readonly needsBaseUrl?: boolean;
  run(operator: Operator, settings: Settings<F>): Promise<AdminOutcome>;
}

/** One row of the table, whatever its flags. */
export type AdminCommand = AdminCommandDefinition<Flags>;

/** A row of the table: the settings that `run` gets follow from its flags. */
export function adminCommand<F extends Flags>(definition: AdminCommandDefinition<F>): AdminCommand {
  // The settings that reach `run` were read by these very flags.
  return definition as unknown as AdminCommand;
}
