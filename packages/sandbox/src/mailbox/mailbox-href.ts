/** Address of the mailbox page. */
export const MAILBOX_PATH = '/sandbox/mailbox';

/** Returns the address of the mailbox, limited to the mail for one address if it is given. */
export function mailboxHref(to?: string): string {
  return to === undefined ? MAILBOX_PATH : `${MAILBOX_PATH}?${new URLSearchParams({ to })}`;
}
