export const MAILBOX_PATH = '/sandbox/mailbox';

/** How a message's page shows it. */
export type MailView = 'light' | 'dark' | 'text';

/** Returns the URL of the mailbox, optionally limited to one address. */
export function mailboxHref(to?: string): string {
  return to === undefined ? MAILBOX_PATH : `${MAILBOX_PATH}?${new URLSearchParams({ to })}`;
}

/** Returns the URL of a message's page. */
export function mailHref(id: string, view: MailView = 'light'): string {
  const path = `${MAILBOX_PATH}/${encodeURIComponent(id)}`;
  return view === 'light' ? path : `${path}?${new URLSearchParams({ view })}`;
}

/** Returns the URL of a message's HTML in a colour scheme. */
export function mailHtmlHref(id: string, scheme: 'light' | 'dark'): string {
  return `${MAILBOX_PATH}/${encodeURIComponent(id)}/html?${new URLSearchParams({ scheme })}`;
}
