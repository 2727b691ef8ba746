import type { Environment } from './read-settings.js';
import { suggestion } from './suggestion.js';

const PREFIX = 'LATCHKEY_';

/** A warning for each unknown variable that resembles a known one. Other programs own the rest. */
export function unknownVariables(env: Environment, known: readonly string[]): string[] {
  const names = known.map((variable) => variable.slice(PREFIX.length));
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .flatMap((variable) => {
      const closest = suggestion(variable.slice(PREFIX.length), names);
      return closest === undefined ? [] : [`Unknown variable ${variable}. Did you mean ${PREFIX}${closest}?`];
    });
}
