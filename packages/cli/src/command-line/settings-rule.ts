import * as z from 'zod';

/** A condition on several settings. */
interface SettingsRule<Settings> {
  /** Settings that the rule reads. It is skipped while one of them is invalid by itself. */
  readonly reads: readonly (keyof Settings)[];
  isMet(settings: Partial<Settings>): boolean;
  readonly error: string | ((settings: Partial<Settings>) => string);
}

/** A check of an object schema that also runs while other fields are invalid, so that all errors are reported at once. */
export function settingsRule<Settings>({
  reads,
  isMet,
  error,
}: SettingsRule<Settings>): z.core.$ZodCheck<Settings> {
  return z.refine<Settings>((settings) => isMet(settings), {
    error: ({ input }) => (typeof error === 'string' ? error : error(input as Partial<Settings>)),
    when: ({ issues }) => !issues.some(({ path = [] }) => reads.some((setting) => setting === path[0])),
  });
}
