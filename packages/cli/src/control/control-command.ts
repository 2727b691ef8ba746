import type * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure, failureJson } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';
import { ControlClient, ControlFailure } from './control-client.js';
import { controlSettings } from './control-settings.js';

/** Surroundings of a command that calls a sandbox. */
export interface ControlContext {
  readonly client: ControlClient;
  /** Prints a result: the value as one line of JSON with `--json`, else the text. */
  show(value: unknown, text: () => string): void;
  /** Prints a note for people on standard error. */
  note(text: string): void;
}

/** A command that calls a sandbox. Its settings come before the ones that all of these commands have. */
export interface ControlCommand<Schema extends z.ZodObject>
  extends Omit<CommandDefinition<Schema>, 'run' | 'settings'> {
  readonly settings: Schema;
  /**
   * Runs the command. The exit code is 0, or 1 if it throws.
   *
   * @throws ControlFailure
   * @throws CommandFailure
   */
  run(settings: z.output<Schema>, context: ControlContext): Promise<void>;
}

/** Returns the definition of a command that calls a sandbox. It names the sandbox in its first line. */
export function controlCommand<Schema extends z.ZodObject>({
  settings,
  run,
  ...definition
}: ControlCommand<Schema>): CommandDefinition {
  return {
    ...definition,
    settings: settings.safeExtend(controlSettings.shape),
    async run(values, output) {
      // Calls must not contain the token: commands pass their own settings on.
      const { sandbox, json, token, ...own } = values as z.output<typeof controlSettings>;
      output.warn(`Sandbox ${sandbox}`);
      try {
        await run(own as z.output<Schema>, {
          client: new ControlClient({ sandbox, token }),
          // Everything that a sandbox returns can contain text of strangers.
          show: (value, text) => output.print(printable(json ? JSON.stringify(value) : text())),
          note: (text) => output.warn(printable(text)),
        });
        return 0;
      } catch (error) {
        if (!(error instanceof ControlFailure || error instanceof CommandFailure)) throw error;
        const { code, message } = error;
        const text = json ? failureJson(code, message) : message;
        throw new CommandFailure(printable(text), { code, isJson: json, cause: error });
      }
    },
  };
}
