/**
 * Guards helpers that sign users in without credentials.
 * @throws Error if `NODE_ENV` is `production`.
 */
export function forbidInProduction(name: string): void {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      `${name} of @latchkey/express/testing was called with NODE_ENV production. It is for tests only.`,
    );
  }
}
