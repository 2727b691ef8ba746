/** Version of the service: the built one, or that of `next-version.mjs`. */
export type Version = 'current' | 'next';

const NEXT_VERSION = new URL('next-version.mjs', import.meta.url).href;

/** Arguments of Node.js that load a version. */
export function argumentsOf(version: Version): string[] {
  return version === 'next' ? ['--import', NEXT_VERSION] : [];
}
