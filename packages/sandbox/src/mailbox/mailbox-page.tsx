import { type Page, PlainDateTime, renderDocument } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { MAILBOX_PATH } from './mailbox-href.js';

/** Message in the list of the mailbox. */
export interface MailSummary {
  id: string;
  to: string;
  subject: string;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** Sign-in code that the message contains. */
  code?: string | undefined;
}

/** Props of {@link mailboxPage}. */
export interface MailboxPageProps {
  /** Newest first. */
  messages: readonly MailSummary[];
  /** Address whose messages are shown. Default: all addresses. */
  to?: string | undefined;
}

/** Mailbox page: lists the mail of the sandbox, with a link to each message. */
export function mailboxPage(props: MailboxPageProps): Page {
  return renderDocument({
    title: props.to === undefined ? 'Mailbox' : `Mailbox of ${props.to}`,
    layout: 'wide',
    ...sandboxHeader('mailbox'),
    children: (
      <main class="column">
        <div class="page-heading">
          <h1>Mailbox</h1>
          <p class="lead">
            {props.to === undefined ? (
              'Mail that the service would have sent. None of it leaves this machine.'
            ) : (
              <>
                To <bdi>{props.to}</bdi>. <a href={MAILBOX_PATH}>Show everyone’s mail</a>
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
          <a href={`${MAILBOX_PATH}/${encodeURIComponent(message.id)}`}>{message.subject}</a>
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
