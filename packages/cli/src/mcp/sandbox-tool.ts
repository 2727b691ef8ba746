import type * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { kebabCase } from '../command-line/flag.js';
import { ControlClient, ControlFailure } from '../control/control-client.js';

/** Title of the Control API's own description. Only a sandbox answers with it. */
const SANDBOX_TITLE = 'Control API of the sandbox';
/** Milliseconds until a page of the documentation must have arrived. */
const PAGE_TIMEOUT_MS = 60_000;

/** Description of the Control API, as far as the tools read it. */
export interface ControlDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** One call of the Control API. */
export interface Operation {
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

/** Calls of the tools to one sandbox. Each one throws `ControlFailure`. */
export class SandboxAccess extends ControlClient {
  /**
   * Checks that the address is a sandbox: its Control API accepts the token and names itself.
   *
   * @throws ControlFailure `not_a_sandbox`, `unreachable`, `unauthorized` or `wrong_host`.
   */
  async verify(): Promise<ControlDescription> {
    const { info, paths } = await this.get<{ info?: { title?: unknown } } & Partial<ControlDescription>>(
      '/openapi.json',
      'openapi',
    );
    if (info?.title === SANDBOX_TITLE && typeof paths === 'object') return { paths };
    throw new ControlFailure(
      'not_a_sandbox',
      `${this.target.sandbox} does not say that it is a sandbox. These tools work on a sandbox only.`,
    );
  }

  /** Reads a public page of the sandbox as text. The token is not sent. */
  async page(path: string): Promise<string> {
    const { sandbox } = this.target;
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const response = await fetch(`${sandbox}${path}`, { redirect: 'manual', signal });
    const text = await response.text();
    if (response.ok) return text;
    throw new ControlFailure('not_found', `The sandbox has no page ${JSON.stringify(path)}.`);
  }
}

/** Effect of a tool on the sandbox. `deletes` means that data are lost. */
export type ToolEffect = 'reads' | 'changes' | 'deletes';

export interface SandboxTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** Purpose of the tool, for the assistant. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly effect: ToolEffect;
  /** Next step if an id is unknown, as a sentence. */
  readonly ifUnknown?: string;
  /** Text in place of the result as JSON. */
  text?(result: z.input<Output>): string;
  /** @throws ControlFailure */
  run(input: z.output<Input>, sandbox: SandboxAccess): Promise<z.input<Output>>;
}

/** Describes a tool whose function receives the parsed input. */
export function sandboxTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: SandboxTool<Input, Output>,
): SandboxTool {
  return tool as unknown as SandboxTool;
}

/**
 * Runs a command in this process, and returns the lines of JSON that it prints.
 *
 * @throws ControlFailure `invalid_input` if the settings do not fit together.
 * @throws CommandFailure
 */
export async function runCommand<Schema extends z.ZodObject>(
  command: CommandDefinition<Schema>,
  settings: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const names = Object.keys(command.settings.shape);
  const parsed = command.settings.safeParse(settings);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new ControlFailure('invalid_input', withoutFlags(issues.join(' '), names));
  }
  const lines: string[] = [];
  try {
    await command.run(parsed.data, { print: (line) => void lines.push(line), warn() {} });
  } catch (error) {
    if (lines.length === 0) throw asFailure(error, names);
  }
  return lines.map((line) => JSON.parse(withoutFlags(line, names)) as Record<string, unknown>);
}

/** Replaces flags by the names of the settings, because a tool has no flags. */
function withoutFlags(text: string, names: readonly string[]): string {
  return names.reduce(
    (rest, name) => rest.replaceAll(new RegExp(`--${kebabCase(name)}\\b`, 'g'), name),
    text,
  );
}

function asFailure(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof CommandFailure)) return error;
  const { cause } = error;
  const code = cause instanceof ControlFailure ? cause.code : 'failed';
  const message = cause instanceof Error ? cause.message : error.message;
  return new ControlFailure(code, withoutFlags(message, names), { cause: error });
}
