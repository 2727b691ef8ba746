/** A path of the contract, whose parameters are whole segments: `{name}`. */
export interface PathTemplate {
  /**
   * Matches the template's paths as they were sent. Without groups, so that the router decodes nothing: a segment that
   * cannot be decoded is refused after the key, like any other field.
   */
  readonly matcher: RegExp;
  /** The decoded parameters of a path that matches, or the name of the one that cannot be decoded. */
  read(path: string): { parameters: Record<string, string> } | { undecodable: string };
}

/** Reads a template once, for every request that it is for. */
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
          return { undecodable: name };
        }
      }
      return { parameters };
    },
  };
}
