// Options of the commands of this repository. Each command answers `--help`, and a wrong option with one line and its usage.
import { parseArgs } from 'node:util';

/**
 * Reads the options of a command as `parseArgs` does. `--help` prints the usage and ends the process. An unknown option or a missing
 * value prints the reason and the usage, and ends the process with code 2.
 * @param {string} usage text of `--help`
 * @param {import('node:util').ParseArgsConfig} config
 */
export function commandOptions(usage, config) {
  const options = { ...config.options, help: { type: 'boolean', short: 'h' } };
  let parsed;
  try {
    parsed = parseArgs({ ...config, options });
  } catch (error) {
    rejectOptions(usage, error.message);
  }
  if (!parsed.values.help) return parsed;
  console.log(usage);
  process.exit(0);
}

/** Prints why the options cannot be used, and the usage. Ends the process with code 2. */
export function rejectOptions(usage, reason) {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

/** Returns the value of an option as a number. Rejects other texts and numbers below `least`. */
export function numberOption(usage, { name, text, least = 1, isWhole = true }) {
  const number = Number(text);
  if (text.trim() !== '' && number >= least && (!isWhole || Number.isInteger(number))) return number;
  return rejectOptions(
    usage,
    `--${name}: must be a ${isWhole ? 'whole ' : ''}number of at least ${least}; got "${text}".`,
  );
}
