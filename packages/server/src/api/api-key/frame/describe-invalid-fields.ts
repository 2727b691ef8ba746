/** Issues that a schema of the contract found in a request. */
interface InvalidRequest {
  readonly issues: readonly InvalidField[];
}

interface InvalidField {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Expected type, for the code `invalid_type`. */
  readonly expected?: unknown;
  /** Allowed values, for the code `invalid_value`. */
  readonly values?: readonly unknown[];
}

/** Names each invalid field with the reason, in one line. It never quotes the values that were sent. */
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
