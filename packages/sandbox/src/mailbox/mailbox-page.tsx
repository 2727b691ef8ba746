import { type Page, PlainDateTime, renderDocument } from '@latchkey/server/ui';
import { CopyButton } from '../navigation/copy-button.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
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
  /** Text that the shown messages contain. Default: all messages. */
  text?: string | undefined;
}

/** Mailbox page: lists the mail of the sandbox, with a link to each message. */
export function mailboxPage(props: MailboxPageProps): Page {
  return renderDocument({
    title: props.to === undefined ? 'Mailbox' : `Mailbox of ${props.to}`,
    layout: 'wide',
    scripts: [LIVE_SCRIPT.path],
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
        <p class="visually-hidden" id="copied" role="status" />
        <Search {...props} />
        <div class="panel" id="mail" data-live>
          {props.messages.length === 0 ? (
            <p class="empty">{emptyText(props)}</p>
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

function emptyText({ text, to }: MailboxPageProps): string {
  if (text !== undefined)
    return 'No mail contains this text. Search for a part of an address, a subject or a code.';
  return to === undefined
    ? 'No mail yet. Ask for a sign-in code: it arrives here.'
    : 'No mail yet. Ask for a sign-in code for this address: it arrives here.';
}

function Search(props: MailboxPageProps) {
  return (
    <search>
      <form class="search-form" method="get" action={MAILBOX_PATH}>
        {props.to !== undefined && <input type="hidden" name="to" value={props.to} />}
        <div class="field">
          <label for="search">Address, subject or code</label>
          <input id="search" name="text" type="search" autocomplete="off" value={props.text ?? ''} />
        </div>
        <button class="button secondary" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}

function MailRow(props: { message: MailSummary }) {
  const { message } = props;
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <a id={`mail-${message.id}`} href={`${MAILBOX_PATH}/${encodeURIComponent(message.id)}`}>
            {message.subject}
          </a>
        </p>
        <p class="muted">
          To <bdi>{message.to}</bdi>, <PlainDateTime at={message.receivedAt} />
        </p>
      </div>
      {message.code !== undefined && (
        <p class="mail-code">
          <span class="visually-hidden">Code </span>
          <span id={`code-${message.id}`}>{message.code}</span>
          <CopyButton of={`code-${message.id}`} name={`code ${message.code}`} />
        </p>
      )}
    </li>
  );
}
