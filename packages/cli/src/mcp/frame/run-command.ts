import type * as z from 'zod';
import type { CommandDefinition } from '../../command-line/command.js';
import { CommandFailure } from '../../command-line/command-failure.js';
import { kebabCase } from '../../command-line/flag.js';
import { ControlFailure } from '../../control/client/control-failure.js';

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
