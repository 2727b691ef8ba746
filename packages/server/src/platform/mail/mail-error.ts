import { HIDDEN } from '../logging/redaction.js';

const MAILBOX = /[^\s<>()[\]{}"',;:]+@[^\s<>()[\]{}"',;]+/g;

/** Returns an error of a mailer for the log. Mail servers repeat the address of the recipient, which a log must not contain. */
export function withoutMailboxes(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const shown = new Error(error.message.replace(MAILBOX, HIDDEN));
  shown.name = error.name;
  if (error.stack !== undefined) shown.stack = error.stack.replace(MAILBOX, HIDDEN);
  return 'code' in error ? Object.assign(shown, { code: error.code }) : shown;
}
