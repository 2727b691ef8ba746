import { CopyText, type Page, renderDocument, SubNav, Time } from '@latchkey/server/ui';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { MAIL_SANDBOX } from './mail-document.js';
import { MAIL_FRAME_SCRIPT } from './mail-frame-script.js';
import { MAILBOX_PATH, type MailView, mailboxHref, mailHref, mailHtmlHref } from './mailbox-href.js';
import type { ReceivedMail } from './sandbox-mailbox.js';

export interface MailPageProps {
  message: Omit<ReceivedMail, 'images'>;
  /**
   * How the message is shown. A message without HTML is shown as text.
   *
   * @default 'light'
   */
  view?: MailView | undefined;
  /** Id of the user with this address; `undefined` if there is none. */
  userId?: string | undefined;
}

/** Returns the page with one message of the mailbox. */
export function mailPage(props: MailPageProps): Page {
  const { message, userId } = props;
  return renderDocument({
    title: `Mail: ${message.subject}`,
    layout: 'reference',
    scripts: [LIVE_SCRIPT.path, MAIL_FRAME_SCRIPT.path],
    ...sandboxHeader('mailbox'),
    children: (
      <main class="console" id="content">
        <div class="page-heading">
          <a class="parent-link" href={MAILBOX_PATH}>
            Back to the mailbox
          </a>
          <h1>
            <bdi>{message.subject}</bdi>
          </h1>
          <p class="lead">
            From <bdi>{message.senderName}</bdi> to <bdi>{message.to}</bdi>, <Time at={message.receivedAt} />
          </p>
          <p class="form-actions" id="recipient" data-live>
            <a href={mailboxHref(message.to)}>All mail to this address</a>
            {userId !== undefined && <a href={dataHref('users', userId)}>User with this address</a>}
          </p>
        </div>
        {message.code !== undefined && (
          <p class="mail-code large">
            <span class="visually-hidden">Code </span>
            <CopyText label={`code ${message.code}`} value={message.code} />
          </p>
        )}
        <Content {...props} />
      </main>
    ),
  });
}

function Content({ message, view = 'light' }: MailPageProps) {
  const { id, html, subject, text } = message;
  const plain = (
    <div class="panel">
      <p class="mail-text" dir="auto">
        {text}
      </p>
    </div>
  );
  if (html === undefined) return plain;
  return (
    <section aria-label="Message">
      <SubNav
        label="View"
        items={[
          { href: mailHref(id), label: 'Light' },
          { href: mailHref(id, 'dark'), label: 'Dark' },
          { href: mailHref(id, 'text'), label: 'Plain text' },
        ]}
        current={mailHref(id, view)}
      />
      {view === 'text' ? (
        plain
      ) : (
        <iframe
          class="mail-frame"
          title={`HTML of the mail “${subject}”`}
          src={mailHtmlHref(id, view)}
          sandbox={MAIL_SANDBOX}
        />
      )}
    </section>
  );
}
