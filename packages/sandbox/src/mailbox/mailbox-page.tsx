import {
  type CurrentCode,
  findUserByEmail,
  listCurrentCodes,
  requestQuery,
} from '@latchkey/server/extension';
import {
  Button,
  type Column,
  CopyText,
  EmptyState,
  messagePage,
  type Page,
  Panel,
  sendAsset,
  sendPage,
  Table,
  Time,
} from '@latchkey/server/ui';
import { Router } from 'express';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxPage } from '../navigation/sandbox-nav.js';
import { onGet } from '../services/routes.js';
import type { Needs } from '../services/services.js';
import { MAIL_DOCUMENT_POLICY, MAIL_FRAME_SCRIPT, mailDocument, mailPage } from './mail-page.js';
import {
  MAILBOX_PATH,
  type MailView,
  mailHref,
  type ReceivedMail,
  type SandboxMailbox,
} from './sandbox-mailbox.js';

export function mailboxRoutes({ db, clock }: Needs<'clock' | 'db'>, mailbox: SandboxMailbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(MAIL_FRAME_SCRIPT.path, sendAsset(MAIL_FRAME_SCRIPT));
  onGet(router, MAILBOX_PATH, async (request, response) => {
    const query = requestQuery(request);
    const [to, text] = [query.get('to') || undefined, query.get('text')?.trim() || undefined];
    const messages = mailbox.list(to).filter((message) => text === undefined || contains(message, text));
    const appCodes = await listCurrentCodes(db, to, clock.now());
    sendPage(response, mailboxPage({ messages, appCodes, to, text }), { allowsScripts: true });
  });
  onGet<{ id: string }>(router, `${MAILBOX_PATH}/:id`, async (request, response) => {
    const message = mailbox.find(request.params.id);
    if (message === undefined) return sendPage(response, NO_SUCH_MESSAGE, { status: 404 });
    const user = await findUserByEmail(db, message.to);
    const view = readView(requestQuery(request).get('view'));
    const page = mailPage({ message, view, userId: user?.id });
    sendPage(response, page, { allowsScripts: true, allowsFrames: true });
  });
  // The HTML of a message, for a frame.
  onGet<{ id: string }>(router, `${MAILBOX_PATH}/:id/html`, (request, response) => {
    const message = mailbox.find(request.params.id);
    if (message?.html === undefined) return sendPage(response, NO_SUCH_MESSAGE, { status: 404 });
    const scheme = requestQuery(request).get('scheme') === 'dark' ? 'dark' : 'light';
    response
      .set('Content-Security-Policy', MAIL_DOCUMENT_POLICY)
      .set('X-Frame-Options', 'SAMEORIGIN')
      .set('Referrer-Policy', 'no-referrer')
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(mailDocument(message, scheme));
  });
  return router;
}

function contains({ to, senderName, subject, text }: ReceivedMail, searched: string): boolean {
  return [to, senderName, subject, text].some((part) => part.toLowerCase().includes(searched.toLowerCase()));
}

function readView(text: string | null): MailView {
  return text === 'dark' || text === 'text' ? text : 'light';
}

const NO_SUCH_MESSAGE = messagePage({
  title: 'No such message',
  text: 'The mailbox keeps the newest messages only, and loses them all when the server stops.',
  action: { href: MAILBOX_PATH, label: 'To the mailbox' },
});

type MailSummary = Pick<ReceivedMail, 'id' | 'to' | 'senderName' | 'subject' | 'receivedAt' | 'code'>;

export interface MailboxPageProps {
  /** Newest first. */
  messages: readonly MailSummary[];
  /** Users with two-step sign-in, and the current codes of their authenticator apps. */
  appCodes: readonly CurrentCode[];
  /** Address whose messages are shown. Default: all addresses. */
  to?: string | undefined;
  /** Text that the shown messages contain. Default: all messages. */
  text?: string | undefined;
}

export function mailboxPage(props: MailboxPageProps): Page {
  return sandboxPage({
    title: props.to === undefined ? 'Mailbox' : `Mailbox of ${props.to}`,
    heading: 'Mailbox',
    scripts: [LIVE_SCRIPT.path],
    current: 'mailbox',
    lead:
      props.to === undefined ? (
        'Mail that the service would have sent. None of it leaves this machine.'
      ) : (
        <>
          To <bdi>{props.to}</bdi>. <a href={MAILBOX_PATH}>Show everyone’s mail</a>
        </>
      ),
    children: (
      <>
        <Search {...props} />
        <AppCodes appCodes={props.appCodes} />
        <div class="panel" id="mail" data-live>
          <Table
            label="Mail, newest first"
            columns={COLUMNS}
            rows={props.messages}
            empty={<EmptyState {...emptyWording(props)} />}
          />
        </div>
      </>
    ),
  });
}

function emptyWording({ text, to }: MailboxPageProps): { title: string; text: string } {
  if (text !== undefined) {
    return {
      title: 'No mail contains this text',
      text: 'Search for a part of an address, a subject or a code.',
    };
  }
  const address = to === undefined ? '' : ' for this address';
  return { title: 'No mail yet', text: `Ask for a sign-in code${address}. It arrives here.` };
}

/** The section is always there, so its content appears without a reload. */
function AppCodes({ appCodes }: Pick<MailboxPageProps, 'appCodes'>) {
  return (
    <div id="app-codes" data-live>
      {appCodes.length > 0 && (
        <Panel heading="Authenticator codes">
          <div class="stack">
            <Table label="Current codes by user" columns={APP_CODE_COLUMNS} rows={appCodes} />
            <p class="muted">
              For the second step of users with two-step sign-in. Codes follow the sandbox’s clock: reload the
              page for the next one. Real apps show other codes once the clock was moved.
            </p>
          </div>
        </Panel>
      )}
    </div>
  );
}

const APP_CODE_COLUMNS: readonly Column<CurrentCode>[] = [
  {
    heading: 'User',
    cell: ({ email, isOn }) => (
      <>
        <bdi>{email}</bdi>
        {!isOn && <p class="muted">Set-up that waits for its first code</p>}
      </>
    ),
  },
  {
    heading: 'Code',
    cell: ({ code }) => <Code code={code} />,
  },
];

function Code({ code }: { code: string }) {
  return (
    <span class="mail-code">
      <CopyText label={`code ${code}`} value={code} />
    </span>
  );
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
        <Button>Search</Button>
      </form>
    </search>
  );
}

const COLUMNS: readonly Column<MailSummary>[] = [
  {
    heading: 'Mail',
    cell: ({ id, subject, senderName, to }) => (
      <>
        <a id={`mail-${id}`} href={mailHref(id)}>
          <bdi>{subject}</bdi>
        </a>
        <p class="muted">
          <bdi>{senderName}</bdi> to <bdi>{to}</bdi>
        </p>
      </>
    ),
  },
  {
    heading: 'Code',
    cell: ({ code }) => (code === undefined ? null : <Code code={code} />),
  },
  { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];
