// Old Node.js versions load this file, so its syntax stays at ES2018.

/** Oldest Node.js version with `node:sqlite` without a flag, as in `engines` of package.json. */
export const OLDEST_NODE = '22.13';

/** Returns an error message if the Node.js version is older than {@link OLDEST_NODE}. */
export function nodeVersionError(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `latchkey requires Node.js ${OLDEST_NODE} or newer; this is Node.js ${version}. Install a newer version: https://nodejs.org`;
}
