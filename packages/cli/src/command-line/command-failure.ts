import { docsUrl, networkFailureOf } from '@latchkey/contract/constants';
import { kebabCase } from './flag.js';

export interface CommandFailureOptions extends ErrorOptions {
  /** Stable code, which is a heading in docs/troubleshooting.md. @default 'failed' */
  readonly code?: string;
  /** True if the message is JSON that already contains the code and the URL of its documentation. */
  readonly isJson?: boolean;
}

/** A command failed. The message is for the caller, and is printed without a stack trace. */
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

/** Returns the message of a server error with flags in place of the server's options. */
export function messageInFlags(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // After attempts at several addresses, such as those of localhost, the error itself has no message.
  if (/^$|^(?:connect|getaddrinfo) /.test(message)) {
    const { reason, advice } = networkFailureOf(error);
    return `No connection: ${reason}. ${advice}`;
  }
  return message.replace(/Option "(\w+)"/, (_match, option: string) => `--${kebabCase(option)}`);
}

/** Returns the failure of a command that prints errors as JSON if `json` is set. */
export function failureIn(json: boolean, code: string, message: string, cause: unknown): CommandFailure {
  return new CommandFailure(json ? failureJson(code, message) : message, { code, isJson: json, cause });
}

export function failureJson(code: string, message: string): string {
  return JSON.stringify({ error: { code, message, docs: docsUrl('troubleshooting', code) } });
}

/** Errors in the command line or the environment. Each says which flag or variable, its value, and how to fix it. */
export class UsageError extends Error {
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.name = 'UsageError';
    this.errors = errors;
  }
}
