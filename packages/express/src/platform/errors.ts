import { docsUrl } from '@latchkey/contract/constants';
import type { z } from 'zod';

/** An invalid option, and how to fix it. */
export interface OptionProblem {
  /** Path of the option in the call, for example `session.rollingSeconds`. */
  option: string;
  /** What is wrong and how to fix it. Never contains a secret. */
  message: string;
}

/** Thrown for invalid options. Lists every invalid option in the call. */
export class LatchkeyOptionsError extends Error {
  override readonly name = 'LatchkeyOptionsError';
  readonly problems: readonly OptionProblem[];
  /** URL of the entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs = docsUrl('troubleshooting', 'invalid_options');

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

export function optionError(option: string, message: string): LatchkeyOptionsError {
  return new LatchkeyOptionsError([{ option, message }]);
}

/**
 * Rejects what isn't the client of a database, such as its URL. Otherwise only the first use of a store would fail.
 * @throws LatchkeyOptionsError
 */
export function requireMethod(
  option: string,
  value: unknown,
  { method, advice }: Record<'method' | 'advice', string>,
): void {
  if (typeof Object(value)[method] === 'function') return;
  const got = value === null ? 'null' : typeof value;
  throw optionError(option, `must be ${advice}, which has the method ${method}; got ${got}.`);
}

export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const methods = Object(value);
  return methods === value && names.every((name) => typeof methods[name] === 'function');
}

export type ReportProblem = (option: string, message: string) => void;

/**
 * Reads options with a function that reports what is invalid.
 * @throws LatchkeyOptionsError that lists everything that it reported.
 */
export function readReporting<Result>(read: (report: ReportProblem) => Result): Result {
  const problems: OptionProblem[] = [];
  const result = read((option, message) => void problems.push({ option, message }));
  if (problems.length > 0) throw new LatchkeyOptionsError(problems);
  return result;
}

/** Describes a schema's issue. `unknownKey` is the message for a key that the schema doesn't have. */
export function problemsOfIssue(issue: z.core.$ZodIssue, unknownKey: string): OptionProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ option: path === '' ? key : `${path}.${key}`, message: unknownKey }));
  }
  // zod's own message for a value of another type.
  const message = issue.message.replace(
    /^Invalid input: expected (\w+), received (.*)$/,
    (_all, expected, received) =>
      `must be a${/^[aeiou]/.test(expected) ? 'n' : ''} ${expected}; got ${received}.`,
  );
  return [{ option: path === '' ? 'options' : path, message }];
}

/**
 * Codes of {@link LatchkeyError}:
 * - `sign_in_required` (401): the visitor is not signed in, or the session has ended.
 * - `insufficient_scope` (403): the visitor didn't grant `memberships.read`.
 * - `service_unavailable` (503): the service doesn't respond, and no cached result is recent enough.
 */
export type LatchkeyErrorCode = 'sign_in_required' | 'insufficient_scope' | 'service_unavailable';

const STATUS: Record<LatchkeyErrorCode, number> = {
  sign_in_required: 401,
  insufficient_scope: 403,
  service_unavailable: 503,
};

/**
 * Thrown by `accessToken()`, `memberships()` and `has()` of `req.latchkey`. If a handler doesn't catch it, Express's
 * own error handling responds with `status`.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError';
  readonly code: LatchkeyErrorCode;
  /** HTTP status of the code: 401, 403 or 503. */
  readonly status: number;
  /** URL of the code's entry in the documentation. Node.js prints it with an uncaught error. */
  readonly docs: string;

  constructor(code: LatchkeyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
    this.docs = docsUrl('troubleshooting', code);
  }
}

export function signInRequired(): LatchkeyError {
  return new LatchkeyError('sign_in_required', 'The visitor is not signed in, or the session has ended.');
}

/**
 * True if one of the app's functions returned a promise although it must be synchronous. The result isn't used, so a
 * rejection must not end the process.
 */
export function isUnusedPromise(result: unknown): boolean {
  const isThenable =
    typeof result === 'object' && result !== null && typeof Reflect.get(result, 'then') === 'function';
  if (isThenable) Promise.resolve(result).catch(() => {});
  return isThenable;
}
