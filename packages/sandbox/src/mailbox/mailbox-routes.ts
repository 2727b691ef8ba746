import {
  findUserByEmail,
  listCurrentCodes,
  methodNotAllowed,
  requestQuery,
} from '@latchkey/server/extension';
import { messagePage, sendAsset, sendPage } from '@latchkey/server/ui';
import { Router } from 'express';
import type { Needs } from '../services/services.js';
import { MAIL_DOCUMENT_POLICY, mailDocument } from './mail-document.js';
import { MAIL_FRAME_SCRIPT } from './mail-frame-script.js';
import { mailPage } from './mail-page.js';
import { MAILBOX_PATH, type MailView } from './mailbox-href.js';
import { mailboxPage } from './mailbox-page.js';
import type { ReceivedMail, SandboxMailbox } from './sandbox-mailbox.js';

export function mailboxRoutes({ db, clock }: Needs<'clock' | 'db'>, mailbox: SandboxMailbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(MAIL_FRAME_SCRIPT.path, sendAsset(MAIL_FRAME_SCRIPT));
  router
    .route(MAILBOX_PATH)
    .get(async (request, response) => {
      const query = requestQuery(request);
      const [to, text] = [query.get('to') || undefined, query.get('text')?.trim() || undefined];
      const messages = mailbox.list(to).filter((message) => text === undefined || contains(message, text));
      const appCodes = await listCurrentCodes(db, to, clock.now());
      sendPage(response, mailboxPage({ messages, appCodes, to, text }), { allowsScripts: true });
    })
    .all(methodNotAllowed('GET'));
  router
    .route(`${MAILBOX_PATH}/:id`)
    .get(async (request, response) => {
      const message = mailbox.find(request.params.id);
      if (message === undefined) return sendPage(response, NO_SUCH_MESSAGE, { status: 404 });
      const user = await findUserByEmail(db, message.to);
      const view = readView(requestQuery(request).get('view'));
      const page = mailPage({ message, view, userId: user?.id });
      sendPage(response, page, { allowsScripts: true, allowsFrames: true });
    })
    .all(methodNotAllowed('GET'));
  // The HTML of a message, for a frame.
  router
    .route(`${MAILBOX_PATH}/:id/html`)
    .get((request, response) => {
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
    })
    .all(methodNotAllowed('GET'));
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
