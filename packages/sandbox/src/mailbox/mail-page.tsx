import type { MailMessage } from '@latchkey/server';
import { MAIL_DARK_QUERY } from '@latchkey/server/extension';
import { type Asset, assetOf, CopyText, type Page, renderDocument, SubNav, Time } from '@latchkey/server/ui';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import {
  MAILBOX_PATH,
  type MailView,
  mailboxHref,
  mailHref,
  mailHtmlHref,
  type ReceivedMail,
} from './sandbox-mailbox.js';

/*
 * Makes the frame of a mail as high as the mail. The mail itself runs no script, and this script reads nothing but its
 * height. Without the script, the frame has a fixed height that one can change.
 */
const SOURCE = `'use strict';
const frame = document.querySelector('.mail-frame');
function fit() {
  const mail = frame.contentDocument;
  if (mail === null || mail.URL === 'about:blank' || mail.readyState !== 'complete') return;
  const top = scrollY;
  // The height of a document is at least that of its frame.
  frame.style.blockSize = '0';
  frame.style.blockSize = mail.documentElement.scrollHeight + frame.offsetHeight - frame.clientHeight + 'px';
  scrollTo(0, top);
}
if (frame !== null) {
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
  fit();
}
`;

export const MAIL_FRAME_SCRIPT: Asset = assetOf('mail-frame.js', 'text/javascript; charset=utf-8', SOURCE);

/** What a message's HTML may do in its frame. */
const MAIL_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/**
 * Content security policy for a message's HTML. It runs no script, sends no form, and loads nothing at all: a request
 * to the sandbox's own pages would have the reader's cookies. The page around it may read its height
 * (`allow-same-origin`), which is safe only without `allow-scripts`. Links open in new tabs.
 */
export const MAIL_DOCUMENT_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  `sandbox ${MAIL_SANDBOX}`,
].join('; ');

/** Returns a message's HTML as an email program with this colour scheme shows it. Its images are part of the document. */
export function mailDocument({ html = '', images = [] }: MailMessage, scheme: 'light' | 'dark'): string {
  const withImages = images.reduce(
    (text, { contentId, contentType, base64 }) =>
      text.replaceAll(`src="cid:${contentId}"`, `src="data:${contentType};base64,${base64}"`),
    html,
  );
  return withImages
    .replaceAll(MAIL_DARK_QUERY, scheme === 'dark' ? '@media all' : '@media not all')
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`)
    .replace('<head>', '<head><base target="_blank">');
}

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
