import {
  type ControlAnswer,
  type ControlCallName,
  ControlError,
  type ControlInput,
} from '@latchkey/sandbox/client';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure, failureJson } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';
import { ControlClient, explained } from './control-client.js';
import { controlSettings } from './control-settings.js';
import { settingsOf, statementOf } from './route-fields.js';

/** What a command that calls a sandbox works with. */
export interface ControlContext {
  readonly client: ControlClient;
  /** Prints a result: with `--json` the value as one line of JSON, else the text. */
  show(value: unknown, text: () => string): void;
  /** Prints a note for people on standard error. */
  note(text: string): void;
}

/** A command that calls a sandbox. Its own settings come before the ones that all these commands have. */
export interface ControlCommand<Schema extends z.ZodObject>
  extends Omit<CommandDefinition<Schema>, 'run' | 'settings'> {
  readonly settings: Schema;
  /**
   * Runs the command. The exit code is 0, or 1 if it throws.
   *
   * @throws ControlError
   * @throws CommandFailure
   */
  run(settings: z.output<Schema>, context: ControlContext): Promise<void>;
}

/** Returns the definition of a command that calls a sandbox. Its first line says which sandbox. */
export function controlCommand<Schema extends z.ZodObject>({
  settings,
  run,
  ...definition
}: ControlCommand<Schema>): CommandDefinition {
  return {
    ...definition,
    settings: settings.safeExtend(controlSettings.shape),
    async run(values, output) {
      // Commands pass their own settings on, and calls must not contain the token.
      const { sandbox, json, token, ...own } = values as z.output<typeof controlSettings>;
      output.warn(`Sandbox ${sandbox}`);
      try {
        await run(own as z.output<Schema>, {
          client: new ControlClient({ sandbox, token }),
          // Strangers may have written parts of what a sandbox returns.
          show: (value, text) => output.print(printable(json ? JSON.stringify(value) : text())),
          note: (text) => output.warn(printable(text)),
        });
        return 0;
      } catch (error) {
        if (!(error instanceof ControlError || error instanceof CommandFailure)) throw error;
        const { code, message } = error instanceof ControlError ? explained(error, { sandbox }) : error;
        const text = json ? failureJson(code, message) : message;
        throw new CommandFailure(printable(text), { code, isJson: json, cause: error });
      }
    },
  };
}

/** A command that makes one call to the control API. Its summary and its settings come from the endpoint. */
interface CallCommand<Name extends ControlCallName> extends Pick<CommandDefinition, 'name' | 'examples'> {
  readonly call: Name;
  /** @default the summary of the endpoint */
  readonly summary?: string;
  readonly notes?: string;
  /** Fields of the call that are arguments or flags. */
  readonly settings?: Readonly<Record<string, z.GlobalMeta>>;
  /** Result with `--json`. @default the response */
  value?(answer: ControlAnswer<Name>, input: ControlInput<Name>): unknown;
  text(answer: ControlAnswer<Name>, input: ControlInput<Name>): string;
  /** Returns a sentence if the response means that the command failed. */
  failure?(answer: ControlAnswer<Name>): string | undefined;
}

export function callCommand<Name extends ControlCallName>({
  call,
  settings = {},
  value = (answer) => answer,
  text,
  failure,
  ...definition
}: CallCommand<Name>): CommandDefinition {
  return controlCommand({
    summary: statementOf(call).summary,
    ...definition,
    settings: z.object(settingsOf(call, settings as never)),
    async run(values, { client, show }) {
      const input = values as unknown as ControlInput<Name>;
      const answer = await (client.call as (name: Name, input: unknown) => Promise<ControlAnswer<Name>>).call(
        client,
        call,
        input,
      );
      show(value(answer, input), () => text(answer, input));
      const failed = failure?.(answer);
      if (failed !== undefined) throw new CommandFailure(failed);
    },
  });
}
