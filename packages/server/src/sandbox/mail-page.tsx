import { renderDocument } from '../web/ui/document.js';
import { PlainDateTime } from '../web/ui/plain-time.js';
import type { Page } from '../web/ui/site.js';
import { SandboxNav } from './sandbox-nav.js';

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

/** One message of the sandbox's mailbox. */
export function mailPage(props: MailPageProps): Page {
  const { message } = props;
  return renderDocument({
    title: `Mail: ${message.subject}`,
    layout: 'wide',
    headerEnd: <SandboxNav />,
    children: (
      <main class="column">
        <div class="page-heading">
          <p>
            <a href="/sandbox/mailbox">Back to the mailbox</a>
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
