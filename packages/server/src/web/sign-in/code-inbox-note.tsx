import type { ComponentChildren } from 'preact';
import { LockIcon, MailIcon } from '../ui/parts/icons.js';

export interface CodeInboxNoteProps {
  name: string;
  href: string;
}

/** Note with a link to the inbox. The link opens a new tab: the sign-in page is often a popup that must stay open. */
export function CodeInboxNote(props: CodeInboxNoteProps) {
  return <CodeNote {...props} text="Codes arrive in the" icon={<MailIcon />} />;
}

/** Note with a link to a page that shows the current codes of test users. */
export function CodeAuthenticatorNote(props: CodeInboxNoteProps) {
  return <CodeNote {...props} text="Test codes are in the" icon={<LockIcon />} />;
}

function CodeNote({
  name,
  href,
  text,
  icon,
}: CodeInboxNoteProps & { text: string; icon: ComponentChildren }) {
  return (
    <p class="fine centred" dir="ltr">
      {text}{' '}
      <a class="inline-icon" href={href} target="_blank" rel="noopener">
        {icon}
        {name}
        <span class="visually-hidden"> (opens in a new tab)</span>
      </a>
      .
    </p>
  );
}
