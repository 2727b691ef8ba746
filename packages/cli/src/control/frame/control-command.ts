import type * as z from 'zod';
import type { CommandDefinition, Output } from '../../command-line/command.js';
import { CommandFailure, failureJson } from '../../command-line/command-failure.js';
import { printable } from '../../command-line/printable.js';
import { ControlClient } from '../client/control-client.js';
import { ControlFailure } from '../client/control-failure.js';
import { controlSettings } from '../client/control-settings.js';

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
        const context = contextOf(new ControlClient({ sandbox, token }), json, output);
        await run(own as z.output<Schema>, context);
        return 0;
      } catch (error) {
        throw failureOf(error, json);
      }
    },
  };
}

function contextOf(client: ControlClient, json: boolean, { print, warn }: Output): ControlContext {
  return {
    client,
    // Everything that a sandbox returns can contain text of strangers.
    show: (value, text) => print(json ? printable(JSON.stringify(value)) : printable(text())),
    note: (text) => warn(printable(text)),
  };
}

function failureOf(error: unknown, json: boolean): unknown {
  if (!(error instanceof ControlFailure || error instanceof CommandFailure)) return error;
  const { code, message } = error;
  const text = json ? failureJson(code, message) : message;
  return new CommandFailure(printable(text), { code, isJson: json, cause: error });
}
