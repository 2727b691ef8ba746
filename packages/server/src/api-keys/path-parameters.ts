/** Where a path of the contract has a parameter: `{name}`, always a whole segment. */
const PARAMETER = /^\{(\w+)\}$/;

/**
 * Matches the paths of a template as they were sent. Without groups, so that the router decodes nothing: a segment that
 * cannot be decoded is refused after the key, like any other field.
 */
export function pathMatcher(template: string): RegExp {
  const segments = template.split('/').map((segment) => (PARAMETER.test(segment) ? '[^/]+' : segment));
  return new RegExp(`^${segments.join('/')}$`);
}

/** The decoded parameters of a path that the template matches, or the name of the one that cannot be decoded. */
export function readPathParameters(
  template: string,
  path: string,
): { parameters: Record<string, string> } | { undecodable: string } {
  const sent = path.split('/');
  const parameters: Record<string, string> = {};
  for (const [index, segment] of template.split('/').entries()) {
    const name = PARAMETER.exec(segment)?.[1];
    if (name === undefined) continue;
    try {
      parameters[name] = decodeURIComponent(sent[index] ?? '');
    } catch {
      return { undecodable: name };
    }
  }
  return { parameters };
}
