import { serviceNamesOption } from '@latchkey/contract';
import type { ServiceNames } from '@latchkey/contract/constants';
import type { OptionProblem } from './options-error.js';

/** Names of the option `serviceNames`, or its problems. */
export type ReadServiceNames =
  | { kind: 'valid'; names: ServiceNames }
  | { kind: 'invalid'; problems: OptionProblem[] };

/** Validates the option `serviceNames`. Names that are not set are those of the spec. */
export function readServiceNames(option: unknown): ReadServiceNames {
  const read = serviceNamesOption.safeParse(option);
  if (read.success) return { kind: 'valid', names: read.data };
  const problems = read.error.issues.flatMap((issue): OptionProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        option: `serviceNames.${key}`,
        message: 'is not a name. The names are apiKeyPrefix, headerPrefix and messenger.',
      }));
    }
    return [{ option: ['serviceNames', ...issue.path].map(String).join('.'), message: issue.message }];
  });
  return { kind: 'invalid', problems };
}
