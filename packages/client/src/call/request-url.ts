import { InvalidRequest } from './invalid-request.js';

/**
 * Fills a path's `{name}` parameters in, percent-encoded, each one segment.
 *
 * @throws InvalidRequest for a text that no segment can stand for: an empty one, `.` and `..`, which every URL parser
 * takes for steps along the path however they are encoded, and text with half a surrogate pair, which has no UTF-8 form.
 */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value: unknown = parameters[name];
    if (typeof value !== 'string' || value === '')
      throw new InvalidRequest(`${name} must be a non-empty text.`);
    if (value === '.' || value === '..') {
      throw new InvalidRequest(`${name} must not be "${value}": it cannot be sent as part of a path.`);
    }
    if (/\p{Surrogate}/u.test(value)) throw new InvalidRequest(`${name} must be well-formed text.`);
    return encodeURIComponent(value);
  });
}
