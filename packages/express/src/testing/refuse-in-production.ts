/** What signs people in without asking them must not run where they are real. */
export function refuseInProduction(name: string): void {
  if (process.env.NODE_ENV === 'production') {
    throw new Error(
      `${name} of @latchkey/express/testing was called with NODE_ENV production: it is for tests only.`,
    );
  }
}
