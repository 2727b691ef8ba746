import type { Settings } from '../options.js';

const RETURN_TO_MAX_LENGTH = 1024;

/**
 * The page to go to after sign-in, as an absolute URL on the app's own origin. Anything that is not a plain path on
 * it gives the app's root: `//host`, backslashes, schemes, control characters, and paths that become one of these
 * once normalised. The kit's own pages are no destination either, or sign-in would lead to sign-in.
 */
export function returnAddress(
  wanted: unknown,
  app: Pick<Settings, 'appOrigin' | 'appPath' | 'mountPath'>,
): string {
  return safeAddress(wanted, app) ?? `${app.appOrigin}${app.appPath}/`;
}

/** As {@link returnAddress}, but undefined for what is refused. */
export function safeAddress(
  wanted: unknown,
  { appOrigin, appPath, mountPath }: Pick<Settings, 'appOrigin' | 'appPath' | 'mountPath'>,
): string | undefined {
  if (typeof wanted !== 'string' || wanted.length > RETURN_TO_MAX_LENGTH) return undefined;
  // Browsers drop tabs and line breaks from URLs and read a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (!/^\/(?!\/)/.test(wanted) || /[\\\u0000-\u0020\u007f]/.test(wanted)) return undefined;
  if (!URL.canParse(wanted, appOrigin)) return undefined;
  const url = new URL(wanted, appOrigin);
  if (url.origin !== appOrigin || url.username !== '' || url.password !== '') return undefined;
  // "/.//host" is a path that normalises to "//host".
  if (url.pathname.startsWith('//')) return undefined;
  const mount = `${appPath}${mountPath}`;
  if (url.pathname === mount || url.pathname.startsWith(`${mount}/`)) return undefined;
  return url.href;
}
