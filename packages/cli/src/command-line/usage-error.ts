/** The command line or the environment is wrong. Every problem names the flag or variable, what was seen and the fix. */
export class UsageError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
    this.problems = problems;
  }
}
