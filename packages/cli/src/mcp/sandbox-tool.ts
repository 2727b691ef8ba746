import { type ControlAnswer, type ControlCallName, ControlError } from '@latchkey/sandbox/client';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { kebabCase } from '../command-line/flag.js';
import type { ControlClient } from '../control/control-client.js';
import { inputFields, statementOf } from '../control/control-command.js';

/** How long a page of the documentation may take, in milliseconds. */
const PAGE_TIMEOUT_MS = 60_000;

/** Checks that there is a sandbox and that its control API accepts the token, and returns the API's description. */
export function verify(sandbox: ControlClient): Promise<ControlAnswer<'GET /openapi.json'>> {
  return sandbox.call('GET /openapi.json');
}

/** Reads a public page of the sandbox as text. Doesn't send the token. */
export async function pageOf({ target }: ControlClient, path: string): Promise<string> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const response = await fetch(`${target.sandbox}${path}`, { redirect: 'manual', signal });
  const text = await response.text();
  if (response.ok) return text;
  throw new ControlError(`The sandbox has no page ${JSON.stringify(path)}.`, { code: 'not_found' });
}

export interface SandboxTool {
  readonly name: string;
  /** What the tool is for, for the assistant. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Effect of a tool on the sandbox. `deletes` means that data is lost. */
  readonly effect: 'reads' | 'changes' | 'deletes';
  /** What to do next if an id is unknown, in a sentence. */
  readonly ifUnknown?: string;
  /** Returns text in place of the result as JSON. */
  text?(result: Readonly<Record<string, unknown>>): string;
  /** @throws ControlError */
  run(input: Readonly<Record<string, unknown>>, sandbox: ControlClient): Promise<object | undefined>;
}

interface CallToolOptions extends Partial<Pick<SandboxTool, 'effect' | 'ifUnknown'>> {
  /** Sentences after the endpoint's summary. */
  readonly more?: string;
  /** Values of fields that the assistant leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** Creates a tool that makes one call to the control API. Its purpose, input and effect come from the endpoint. */
export function callTool(
  name: string,
  call: ControlCallName,
  { more, defaults, ...options }: CallToolOptions = {},
): SandboxTool {
  const { summary, body, isDestructive = false } = statementOf(call);
  const inputs = inputFields(call);
  // One of several alternatives: the API says which fields belong together.
  if (body instanceof z.ZodUnion)
    for (const [field, schema] of Object.entries(inputs)) inputs[field] = schema.optional();
  // Fields that depend on the kind of record.
  if (body instanceof z.ZodRecord) inputs.fields = body.describe('Fields, as describe_objects returns them.');
  const changes = isDestructive ? 'deletes' : 'changes';
  return {
    name,
    description: [summary, more].filter((part) => part !== undefined).join(' '),
    input: z.object(inputs),
    effect: call.startsWith('GET ') ? 'reads' : changes,
    ...options,
    run({ fields, ...input }, sandbox) {
      const flat = { ...defaults, ...(fields as object | undefined), ...input };
      return (sandbox.call as (call: string, input: object) => Promise<object | undefined>).call(
        sandbox,
        call,
        flat,
      );
    },
  };
}

/** Creates a tool that runs a `latchkey` command in this process, and returns the JSON that it prints. */
export function commandTool(
  tool: Pick<SandboxTool, 'name' | 'description' | 'effect'>,
  command: CommandDefinition,
  settings: Readonly<Record<string, z.ZodType>>,
): SandboxTool {
  return {
    ...tool,
    input: z.object(settings),
    async run(input, { target }) {
      const [result = {}] = await runCommand(command, {
        ...input,
        ...target,
        service: target.sandbox,
        json: true,
      });
      return result;
    },
  };
}

/** @throws ControlError, CommandFailure */
async function runCommand(
  command: CommandDefinition,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const names = Object.keys(command.settings.shape);
  const settings = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  const parsed = command.settings.safeParse(settings);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new ControlError(withoutFlags(issues.join(' '), names), { code: 'invalid_input' });
  }
  const lines: string[] = [];
  try {
    await command.run(parsed.data, { print: (line) => void lines.push(line), warn() {} });
  } catch (error) {
    if (lines.length === 0) throw asFailure(error, names);
  }
  return lines.map((line) => JSON.parse(withoutFlags(line, names)) as Record<string, unknown>);
}

/** Replaces flags with the names of the settings: a tool has no flags. */
function withoutFlags(text: string, names: readonly string[]): string {
  return names.reduce(
    (rest, name) => rest.replaceAll(new RegExp(`--${kebabCase(name)}\\b`, 'g'), name),
    text,
  );
}

function asFailure(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof CommandFailure)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof ControlError ? cause.code : 'failed';
  return new ControlError(withoutFlags(cause.message, names), { code, cause: cause.cause });
}
