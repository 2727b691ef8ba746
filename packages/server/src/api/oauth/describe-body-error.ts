/** What the schemas of the contract say of a body they refuse. */
interface BodyError {
  readonly issues: readonly {
    readonly code: string;
    readonly path: readonly PropertyKey[];
    readonly message: string;
  }[];
}

/** Says in one sentence which parameter of a body is missing or malformed. Never quotes what was sent. */
export function describeBodyError({ issues: [issue] }: BodyError): string {
  const name = issue?.path.join('.') ?? '';
  if (issue === undefined || name === '') return 'The body must be an object of parameters.';
  if (name === 'grant_type') return 'grant_type must be authorization_code or refresh_token.';
  // An empty parameter counts as missing, a repeated one arrives as an array.
  if (issue.code === 'invalid_type') return `${name} is missing or is not a single string.`;
  return `${name} ${issue.message}.`;
}
