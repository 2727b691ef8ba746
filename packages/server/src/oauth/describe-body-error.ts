/** What the schemas of the contract say of a body they refuse. */
interface BodyError {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** Says in one sentence which parameter of a body is missing or malformed. Never quotes what was sent. */
export function describeBodyError({ issues: [issue] }: BodyError): string {
  const name = issue?.path.join('.') ?? '';
  if (issue === undefined || name === '') return 'The body must be an object of parameters.';
  if (name === 'grant_type') return 'grant_type must be authorization_code or refresh_token.';
  return `${name} is missing or malformed: ${issue.message}.`;
}
