/** The service breaks the rule of the running check. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** The running check lacks something that it needs: a fixture, a mode, or a response that other rules are about. */
export class Missing extends Error {
  override readonly name = 'Missing';
}
