import { MailIcon } from '../ui/parts/icons.js';

/** Props of {@link CodeInboxNote}. */
export interface CodeInboxNoteProps {
  /** Text of the link. */
  name: string;
  href: string;
}

/** Note with a link to the inbox. The link opens a new tab: the sign-in page is often a popup that must stay open. */
export function CodeInboxNote({ name, href }: CodeInboxNoteProps) {
  return (
    <p class="fine centred" dir="ltr">
      Codes arrive in the{' '}
      <a class="inline-icon" href={href} target="_blank" rel="noopener">
        <MailIcon />
        {name}
        <span class="visually-hidden"> (opens in a new tab)</span>
      </a>
      .
    </p>
  );
}
