/** Maximum age of a sign-in that allows sensitive changes, in milliseconds. */
const RECENT_MS = 10 * 60_000;

/** True if a sign-in is recent enough for a sensitive change of a user without two-step sign-in. */
export function isRecentSignIn(signedInAt: number, now: number): boolean {
  return now - signedInAt <= RECENT_MS;
}
