/** What a schema of the contract says of a request it refuses. */
interface InvalidRequest {
  readonly issues: readonly InvalidField[];
}

interface InvalidField {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Of `invalid_type`: the type that was expected. */
  readonly expected?: unknown;
  /** Of `invalid_value`: what is allowed. */
  readonly values?: readonly unknown[];
}

/** Names every refused field with the reason, in one line. What was sent is not quoted. */
export function describeInvalidFields({ issues }: InvalidRequest, sent: unknown): string {
  const reasons = new Set(issues.map((field) => describe(field, sent)));
  return `${[...reasons].join('; ')}.`;
}

function describe({ code, path: [name], message, expected, values }: InvalidField, sent: unknown): string {
  if (name === undefined) return 'The body must be a JSON object';
  const field = String(name);
  if (message.endsWith('is required')) return message;
  if (code === 'invalid_value') return `${field} must be one of ${values?.join(', ')}`;
  if (code !== 'invalid_type') return `${field} ${message}`;
  const isMissing = (sent as Readonly<Record<PropertyKey, unknown>>)[name] === undefined;
  if (isMissing) return `${field} is missing`;
  return `${field} must be ${expected === 'string' ? 'a string' : 'an integer'}`;
}
