import { methodNotAllowed, requestQuery } from '@latchkey/server/extension';
import { messagePage, sendPage } from '@latchkey/server/ui';
import { type RequestHandler, Router } from 'express';
import { mailPage } from './mail-page.js';
import { MAILBOX_PATH } from './mailbox-href.js';
import { mailboxPage } from './mailbox-page.js';
import type { SandboxMailbox } from './sandbox-mailbox.js';

/** Pages of the mailbox. */
export function mailboxRoutes(mailbox: SandboxMailbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(MAILBOX_PATH).get(showMailbox(mailbox)).all(methodNotAllowed('GET'));
  router.route(`${MAILBOX_PATH}/:id`).get(showMail(mailbox)).all(methodNotAllowed('GET'));
  return router;
}

function showMailbox(mailbox: SandboxMailbox): RequestHandler {
  return (request, response) => {
    const to = requestQuery(request).get('to') ?? undefined;
    sendPage(response, mailboxPage({ messages: mailbox.list(to), to }));
  };
}

function showMail(mailbox: SandboxMailbox): RequestHandler<{ id: string }> {
  return (request, response) => {
    const message = mailbox.find(request.params.id);
    if (message !== undefined) return sendPage(response, mailPage({ message }));
    const page = messagePage({
      title: 'No such message',
      text: 'The mailbox keeps the newest messages only, and loses them all when the server stops.',
      action: { href: MAILBOX_PATH, label: 'To the mailbox' },
    });
    sendPage(response, page, { status: 404 });
  };
}
