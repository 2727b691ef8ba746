/** Text of the fields of a request, for messages and keys. An undefined field leaves a field out, so it is a part too. */
export function shownFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([field, value]) => (value === undefined ? `no ${field}` : `${field} ${JSON.stringify(value)}`))
    .join(', ');
}
