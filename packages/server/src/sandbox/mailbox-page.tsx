import { renderDocument } from '../web/ui/document.js';
import { PlainDateTime } from '../web/ui/plain-time.js';
import type { Page } from '../web/ui/site.js';
import { SandboxNav } from './sandbox-nav.js';

/** A message in the sandbox's mailbox, newest first by the caller's order. */
export interface MailSummary {
  id: string;
  to: string;
  subject: string;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** The sign-in code, when the message carries one. */
  code?: string | undefined;
}

/** Props of {@link mailboxPage}. */
export interface MailboxPageProps {
  messages: readonly MailSummary[];
  /** The one address whose messages are shown. Default: all. */
  to?: string | undefined;
}

/** Every message that the sandbox would have sent. A message opens at `/sandbox/mailbox/{id}`. */
export function mailboxPage(props: MailboxPageProps): Page {
  return renderDocument({
    title: props.to === undefined ? 'Mailbox' : `Mailbox of ${props.to}`,
    layout: 'wide',
    headerEnd: <SandboxNav current="mailbox" />,
    children: (
      <main class="column">
        <div class="page-heading">
          <h1>Mailbox</h1>
          <p class="lead">
            {props.to === undefined ? (
              'Mail that the service would have sent. None of it leaves this machine.'
            ) : (
              <>
                To <bdi>{props.to}</bdi>. <a href="/sandbox/mailbox">Show everyone’s mail</a>
              </>
            )}
          </p>
        </div>
        <div class="panel">
          {props.messages.length === 0 ? (
            <p class="empty">No mail yet. Ask for a sign-in code, then reload this page.</p>
          ) : (
            <ul class="rows">
              {props.messages.map((message) => (
                <MailRow key={message.id} message={message} />
              ))}
            </ul>
          )}
        </div>
      </main>
    ),
  });
}

function MailRow(props: { message: MailSummary }) {
  const { message } = props;
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <a href={`/sandbox/mailbox/${encodeURIComponent(message.id)}`}>{message.subject}</a>
        </p>
        <p class="muted">
          To <bdi>{message.to}</bdi>, <PlainDateTime at={message.receivedAt} />
        </p>
      </div>
      {message.code !== undefined && (
        <p class="mail-code">
          <span class="visually-hidden">Code </span>
          {message.code}
        </p>
      )}
    </li>
  );
}
