/**
 * Validates the limits of an option, and fills in the defaults.
 *
 * @param option name of the option, for error messages.
 * @throws Error if a limit is unknown, or isn't a positive integer.
 */
export function checkLimits<L extends Readonly<Record<string, number>>>(
  option: string,
  limits: Partial<L> = {},
  defaults: L,
): L {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in defaults)) {
      const known = Object.keys(defaults).join(', ');
      throw new Error(`Option "${option}" has no limit "${name}". Its limits are ${known}.`);
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new Error(`Option "${option}.${name}" must be an integer of at least 1; got ${value}.`);
    }
  }
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
