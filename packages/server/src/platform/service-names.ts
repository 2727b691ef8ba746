import { serviceNamesOption } from '@latchkey/contract';
import type { ServiceNames } from '@latchkey/contract/constants';

/**
 * Reads the option `serviceNames`. Names that are not set are the spec's stand-ins.
 *
 * @throws Error naming the part of the option that is invalid.
 */
export function parseServiceNames(option: unknown): ServiceNames {
  const parsed = serviceNamesOption.safeParse(option);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = ['serviceNames', ...issue.path.map(String)].join('.');
    if (issue.code === 'unrecognized_keys') {
      return `Option "${name}" has the unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}. Its keys are apiKeyPrefix, headerPrefix and messenger.`;
    }
    return `Option "${name}" ${issue.message}`;
  });
  throw new Error(problems.join(' '));
}
