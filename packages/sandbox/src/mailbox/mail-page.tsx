import { type Page, PlainDateTime, renderDocument } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { MAILBOX_PATH } from './mailbox-href.js';

/** Props of {@link mailPage}. */
export interface MailPageProps {
  message: {
    id: string;
    to: string;
    subject: string;
    /** Milliseconds since the epoch. */
    receivedAt: number;
    /** The plain text, shown with its line breaks. */
    text: string;
  };
}

/** Page with one message of the mailbox. */
export function mailPage(props: MailPageProps): Page {
  const { message } = props;
  return renderDocument({
    title: `Mail: ${message.subject}`,
    layout: 'wide',
    ...sandboxHeader(),
    children: (
      <main class="column">
        <div class="page-heading">
          <p>
            <a href={MAILBOX_PATH}>Back to the mailbox</a>
          </p>
          <h1>{message.subject}</h1>
          <p class="lead">
            To <bdi>{message.to}</bdi>, <PlainDateTime at={message.receivedAt} />
          </p>
        </div>
        <div class="panel">
          <p class="mail-text">{message.text}</p>
        </div>
      </main>
    ),
  });
}
