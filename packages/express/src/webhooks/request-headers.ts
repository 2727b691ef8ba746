/** A `Headers` object of `fetch`, or a plain object as in Node or Lambda. Names are case-insensitive. */
export type WebhookRequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a function that reads headers by name. Repeated headers are joined by commas, as in HTTP. */
export function headerReader(headers: WebhookRequestHeaders): (name: string) => string | undefined {
  const { get } = headers;
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined;
  const fields = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const wanted = name.toLowerCase();
    const exact = fields[wanted];
    if (typeof exact === 'string') return exact;
    const values = Object.entries(fields).flatMap(([key, value]) =>
      key.toLowerCase() === wanted ? (value ?? []) : [],
    );
    return values.length === 0 ? undefined : values.join(', ');
  };
}
