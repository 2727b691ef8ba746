import { MailIcon, PersonIcon } from './icons.js';

/** The way around the sandbox's pages. */
export function SandboxNav() {
  return (
    <nav class="site-nav" aria-label="Sandbox">
      <a href="/sandbox">Sandbox</a>
      <a href="/sandbox/mailbox">
        <MailIcon />
        Mailbox
      </a>
      <a href="/account">
        <PersonIcon />
        Account
      </a>
    </nav>
  );
}
