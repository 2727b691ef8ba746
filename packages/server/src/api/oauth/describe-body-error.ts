/** Issues that a schema of the contract found in a body. */
interface BodyError {
  readonly issues: readonly {
    readonly code: string;
    readonly path: readonly PropertyKey[];
    readonly message: string;
  }[];
}

/** Describes the first missing or malformed parameter in one sentence. It never quotes the values that were sent. */
export function describeBodyError({ issues: [issue] }: BodyError): string {
  const name = issue?.path.join('.') ?? '';
  if (issue === undefined || name === '') return 'The body must be an object of parameters.';
  if (name === 'grant_type') return 'grant_type must be authorization_code or refresh_token.';
  // An empty parameter counts as missing. A repeated parameter is an array.
  if (issue.code === 'invalid_type') return `${name} is missing or is not a single string.`;
  return `${name} ${issue.message}.`;
}
