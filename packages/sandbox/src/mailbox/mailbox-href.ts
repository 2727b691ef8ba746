export const MAILBOX_PATH = '/sandbox/mailbox';

/** Form in which the page of a message shows it. */
export type MailView = 'light' | 'dark' | 'text';

/** Returns the address of the mailbox, limited to the mail for one address if it is given. */
export function mailboxHref(to?: string): string {
  return to === undefined ? MAILBOX_PATH : `${MAILBOX_PATH}?${new URLSearchParams({ to })}`;
}

/** Returns the address of the page of a message. */
export function mailHref(id: string, view: MailView = 'light'): string {
  const path = `${MAILBOX_PATH}/${encodeURIComponent(id)}`;
  return view === 'light' ? path : `${path}?${new URLSearchParams({ view })}`;
}

/** Returns the address of the HTML of a message in a colour scheme. */
export function mailHtmlHref(id: string, scheme: 'light' | 'dark'): string {
  return `${MAILBOX_PATH}/${encodeURIComponent(id)}/html?${new URLSearchParams({ scheme })}`;
}
