/** Path of an endpoint in the contract. Each parameter is a whole segment: `{name}`. */
export interface PathTemplate {
  /**
   * Matches the raw paths of the endpoint. It has no groups, so that the router decodes nothing: a segment with invalid
   * percent-encoding is rejected after the key is checked, like any other invalid field.
   */
  readonly matcher: RegExp;
  /** Decodes the parameters of a matching path. */
  read(path: string): PathParameters;
}

/** Decoded parameters of a path, or the name of the parameter with invalid percent-encoding. */
export type PathParameters =
  | { readonly kind: 'decoded'; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'undecodable'; readonly name: string };

/** Parses the path of an endpoint. Done once for each route. */
export function pathTemplate(template: string): PathTemplate {
  const segments = template.split('/');
  const places = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ name, index }];
  });
  const patterns = segments.map((segment) => (segment.startsWith('{') ? '[^/]+' : segment));
  return {
    matcher: new RegExp(`^${patterns.join('/')}$`),
    read(path) {
      const sent = path.split('/');
      const parameters: Record<string, string> = {};
      for (const { name, index } of places) {
        try {
          parameters[name] = decodeURIComponent(sent[index] ?? '');
        } catch {
          return { kind: 'undecodable', name };
        }
      }
      return { kind: 'decoded', parameters };
    },
  };
}
