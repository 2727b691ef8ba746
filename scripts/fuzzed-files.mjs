/** Parts of the names of the test files that fuzz parsers. The endpoints behind an API key are fuzzed in their own test files. */
export const FUZZED = [
  ...['fuzz', 'malformed'],
  ...['buy-plan', 'check-messenger', 'drop-signup.test', 'invite-link', 'provision-validation'],
];
