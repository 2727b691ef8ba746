/** Errors in the command line or the environment. Each one names the flag or variable, the value and the fix. */
export class UsageError extends Error {
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.name = 'UsageError';
    this.errors = errors;
  }
}
