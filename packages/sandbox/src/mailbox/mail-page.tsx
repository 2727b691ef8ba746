import { type Page, PlainDateTime, renderDocument } from '@latchkey/server/ui';
import { CopyButton } from '../navigation/copy-button.js';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { MAILBOX_PATH, mailboxHref } from './mailbox-href.js';

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
    /** Sign-in code that the message contains. */
    code?: string | undefined;
  };
  /** Id of the user with this address; `undefined` if there is none. */
  userId?: string | undefined;
}

/** Page with one message of the mailbox. */
export function mailPage(props: MailPageProps): Page {
  const { message, userId } = props;
  return renderDocument({
    title: `Mail: ${message.subject}`,
    layout: 'wide',
    scripts: [LIVE_SCRIPT.path],
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
          <p class="form-actions" id="recipient" data-live>
            <a href={mailboxHref(message.to)}>All mail to this address</a>
            {userId !== undefined && <a href={dataHref('users', userId)}>User with this address</a>}
          </p>
        </div>
        <p class="visually-hidden" id="copied" role="status" />
        {message.code !== undefined && (
          <p class="mail-code large">
            <span class="visually-hidden">Code </span>
            <span id="code">{message.code}</span>
            <CopyButton of="code" name={`code ${message.code}`} />
          </p>
        )}
        <div class="panel">
          <p class="mail-text">{message.text}</p>
        </div>
      </main>
    ),
  });
}
