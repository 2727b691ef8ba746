import { docsUrl } from '@latchkey/contract/constants';
import { kebabCase } from './flag.js';

/** Properties of a {@link CommandFailure} besides its message. */
export interface CommandFailureOptions extends ErrorOptions {
  /**
   * Stable code. A heading of docs/troubleshooting.md.
   * @default 'failed'
   */
  readonly code?: string;
  /** True if the message is JSON, which contains its code and its entry in the documentation. */
  readonly isJson?: boolean;
}

/** A command failed. The message is meant for the caller and is printed without a stack trace. */
export class CommandFailure extends Error {
  readonly code: string;
  readonly isJson: boolean;
  constructor(message: string, { code = 'failed', isJson = false, ...options }: CommandFailureOptions = {}) {
    super(message, options);
    this.name = 'CommandFailure';
    this.code = code;
    this.isJson = isJson;
  }
}

/** Returns the message of an error of the server in terms of the command line: the server names its options, which are flags here. */
export function messageInFlags(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/Option "(\w+)"/, (_match, option: string) => `--${kebabCase(option)}`);
}

/** Returns a failure as one line of JSON. */
export function failureJson(code: string, message: string): string {
  return JSON.stringify({ error: { code, message, docs: docsUrl('troubleshooting', code) } });
}

/** Errors in the command line or the environment. Each one names the flag or variable, the value and the fix. */
export class UsageError extends Error {
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.name = 'UsageError';
    this.errors = errors;
  }
}
