import { BellIcon, BookIcon, ChatIcon, MailIcon, PersonIcon } from '@latchkey/server/ui';

/** Navigation in the header of the sandbox's pages. */
export function SandboxNav(props: { current?: 'sandbox' | 'mailbox' | 'messenger' | 'webhooks' | 'docs' }) {
  return (
    <nav class="site-nav" aria-label="Sandbox">
      <a href="/sandbox" {...currentPage(props.current === 'sandbox')}>
        Sandbox
      </a>
      <a href="/sandbox/mailbox" {...currentPage(props.current === 'mailbox')}>
        <MailIcon />
        Mailbox
      </a>
      <a href="/sandbox/messenger" {...currentPage(props.current === 'messenger')}>
        <ChatIcon />
        Messenger
      </a>
      <a href="/sandbox/webhooks" {...currentPage(props.current === 'webhooks')}>
        <BellIcon />
        Webhooks
      </a>
      <a href="/docs" {...currentPage(props.current === 'docs')}>
        <BookIcon />
        Docs
      </a>
      <a href="/account">
        <PersonIcon />
        Account
      </a>
    </nav>
  );
}

function currentPage(is: boolean) {
  return is ? { 'aria-current': 'page' as const } : {};
}
