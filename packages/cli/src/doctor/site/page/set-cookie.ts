/** Cookie of a Set-Cookie header. */
export interface SetCookie {
  readonly name: string;
  readonly isSecure: boolean;
  readonly isHttpOnly: boolean;
  /** `lax`, `strict`, `none`, or undefined if the attribute is missing. */
  readonly sameSite: string | undefined;
  /** Without a leading dot. */
  readonly domain: string | undefined;
  readonly path: string | undefined;
}

/** Parses a Set-Cookie header (RFC 6265, section 5.2). The value is dropped: reports must not contain it. */
export function parseSetCookie(header: string): SetCookie {
  const [pair = '', ...attributes] = header.split(';');
  const values = new Map<string, string>();
  for (const attribute of attributes) {
    const [name = '', ...value] = attribute.split('=');
    values.set(name.trim().toLowerCase(), value.join('=').trim());
  }
  return {
    name: (pair.split('=', 1)[0] ?? '').trim(),
    isSecure: values.has('secure'),
    isHttpOnly: values.has('httponly'),
    sameSite: values.get('samesite')?.toLowerCase(),
    domain: values.get('domain')?.replace(/^\./, '').toLowerCase() || undefined,
    path: values.get('path'),
  };
}
