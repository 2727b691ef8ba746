import {
  type ControlAnswer,
  type ControlCallName,
  ControlError,
  type ControlInput,
} from '@latchkey/sandbox/client';
import { CONTROL_ROUTES, DATA_ROUTES, type RouteStatement } from '@latchkey/sandbox/routes';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure, failureIn } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';
import { ControlClient, controlSettings, explained } from './control-client.js';

export function statementOf(call: ControlCallName): RouteStatement {
  return { ...CONTROL_ROUTES, ...DATA_ROUTES }[call];
}

/** Returns the input of a call by field name: the parameters of its path, and the fields of its query or body. */
export function inputFields(call: ControlCallName): Record<string, z.ZodType> {
  const { params = {}, query, body } = statementOf(call);
  return { ...params, ...shapeOf(query ?? body) };
}

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodUnion)) return {};
  return Object.assign({}, ...schema.options.map((option) => shapeOf(option as z.ZodType)));
}

type ShapeOf<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? Shape
    : Schema extends z.ZodUnion
      ? Readonly<Record<string, z.ZodType>>
      : unknown;
type FieldsOf<Statement> = (Statement extends { readonly params: infer Params } ? Params : unknown) &
  (Statement extends { readonly query: infer Query } ? ShapeOf<Query> : unknown) &
  (Statement extends { readonly body: infer Body } ? ShapeOf<Body> : unknown);
type RouteFields<Name extends ControlCallName> = FieldsOf<(typeof CONTROL_ROUTES & typeof DATA_ROUTES)[Name]>;

/** Returns the chosen fields of a call as settings of a command, with extra metadata for the command line. */
export function settingsOf<Name extends ControlCallName, Chosen extends keyof RouteFields<Name> & string>(
  call: Name,
  chosen: Readonly<Record<Chosen, z.GlobalMeta>>,
): Pick<RouteFields<Name>, Chosen> {
  const fields = inputFields(call);
  const settings = Object.entries<z.GlobalMeta>(chosen).map(([name, meta]) => [
    name,
    fields[name]?.meta(meta),
  ]);
  return Object.fromEntries(settings);
}

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
  /** @throws ControlError, CommandFailure: the exit code is then 1. */
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
        throw failureIn(json, code, printable(message), error);
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
      const answer = (await client.callAny(call, values)) as ControlAnswer<Name>;
      show(value(answer, input), () => text(answer, input));
      const failed = failure?.(answer);
      if (failed !== undefined) throw new CommandFailure(failed);
    },
  });
}
