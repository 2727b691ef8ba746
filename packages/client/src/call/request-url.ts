import { InvalidRequest } from './invalid-request.js';

/**
 * Replaces the `{name}` parameters of a path by percent-encoded values. Each value becomes one segment.
 *
 * @throws InvalidRequest for a value that cannot be a segment: an empty one, `.` and `..`, and text with a lone surrogate.
 * URL parsers resolve `.` and `..` even when they are encoded. A lone surrogate has no UTF-8 encoding.
 */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value: unknown = parameters[name];
    if (typeof value !== 'string' || value === '')
      throw new InvalidRequest(`${name} must be a non-empty string.`);
    if (value === '.' || value === '..') {
      throw new InvalidRequest(`${name} must not be "${value}", which cannot be part of a path.`);
    }
    if (/\p{Surrogate}/u.test(value))
      throw new InvalidRequest(`${name} must be a well-formed string, without lone surrogates.`);
    return encodeURIComponent(value);
  });
}
