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
  const segments = template.split('/').map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }));
  return {
    matcher: new RegExp(`^${segments.map(({ text, name }) => (name ? '[^/]+' : text)).join('/')}$`),
    read(path) {
      const sent = path.split('/');
      const parameters: Record<string, string> = {};
      for (const [index, { name }] of segments.entries()) {
        if (name === undefined) continue;
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
