import { MailIcon } from '../ui/icons.js';

/** The way to the sandbox's mailbox. Opens beside the sign-in, which is often a popup of its own and must not be lost. */
export function MailboxLink(props: { href: string; children: string }) {
  return (
    <a class="inline-icon" href={props.href} target="_blank" rel="noopener">
      <MailIcon />
      {props.children}
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
