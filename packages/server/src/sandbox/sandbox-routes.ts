import { type RequestHandler, Router } from 'express';
import { listClients } from '../domain/oauth/clients.js';
import { findUserByEmail } from '../domain/users/users.js';
import type { BackgroundWork } from '../platform/background/background-work.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import { methodNotAllowed } from '../platform/http/error-handler.js';
import { redirect } from '../platform/http/redirect.js';
import { formOf, readForm } from '../platform/http/request-body.js';
import { requestQuery } from '../platform/http/request-query.js';
import { readContinuePath, signInPath } from '../web/sign-in/continue-path.js';
import { findSignedInUser, startUserSession } from '../web/sign-in/user-session.js';
import { messagePage } from '../web/ui/message-page.js';
import { sameOriginGuard } from '../web/ui/same-origin-guard.js';
import { sendPage } from '../web/ui/send-page.js';
import { mailPage } from './mail-page.js';
import { mailboxPage } from './mailbox-page.js';
import { messengerRoutes } from './messenger-routes.js';
import type { Sandbox } from './sandbox.js';
import { sandboxHomePage } from './sandbox-home-page.js';
import { sandboxUsers } from './sandbox-users.js';

interface SandboxRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly lifecycle: BackgroundWork;
  readonly db: Database;
}

/** How far the buttons move the clock, in milliseconds, and what the page says afterwards. */
const ADVANCES: ReadonlyMap<string, { ms: number; notice: string }> = new Map([
  ['1h', { ms: 3600_000, notice: 'The service’s clock went ahead by an hour.' }],
  ['31d', { ms: 31 * 24 * 3600_000, notice: 'The service’s clock went ahead by 31 days.' }],
]);

/** How many clients the start page lists. */
const SHOWN_CLIENTS = 50;

/** The pages that exist in sandbox mode only: start page, clock, mailbox, pick-a-user. */
export function sandboxRoutes(needs: SandboxRoutesNeeds, sandbox: Sandbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  router.route('/sandbox').get(showHome(needs, sandbox)).all(methodNotAllowed('GET'));
  router
    .route('/sandbox/clock')
    .post(guard, readForm, advanceClock(needs, sandbox))
    .all(methodNotAllowed('POST'));
  router.route('/sandbox/sign-in').post(guard, readForm, signInAs(needs)).all(methodNotAllowed('POST'));
  router.use(messengerRoutes(needs, sandbox));
  router.route('/sandbox/mailbox').get(showMailbox(sandbox)).all(methodNotAllowed('GET'));
  router.route('/sandbox/mailbox/:id').get(showMail(sandbox)).all(methodNotAllowed('GET'));
  return router;
}

function showHome(needs: SandboxRoutesNeeds, { guide }: Sandbox): RequestHandler {
  const { db, clock } = needs;
  return async (request, response) => {
    const html = sandboxHomePage({
      serviceTime: clock.now(),
      users: await sandboxUsers(db, guide),
      signedInAs: (await findSignedInUser(needs, request))?.email ?? undefined,
      clients: await listClients(db, SHOWN_CLIENTS),
      shops: guide.shops,
      forSale: guide.forSale,
      notice: ADVANCES.get(requestQuery(request).get('advanced') ?? '')?.notice,
    });
    sendPage(response, html);
  };
}

function advanceClock({ lifecycle }: SandboxRoutesNeeds, { clock }: Sandbox): RequestHandler {
  return async (request, response) => {
    const asked = formOf(request).get('advance') ?? '';
    const advance = ADVANCES.get(asked);
    if (advance === undefined) return redirect(response, 303, '/sandbox');
    clock.advance(advance.ms);
    // What the time in between has done is there when the page says that the clock has moved.
    await lifecycle.runDue();
    redirect(response, 303, `/sandbox?${new URLSearchParams({ advanced: asked })}`);
  };
}

function signInAs(needs: SandboxRoutesNeeds): RequestHandler {
  const { db } = needs;
  return async (request, response) => {
    const form = formOf(request);
    const continueTo = readContinuePath(form.get('continue'));
    const user = await findUserByEmail(db, (form.get('email') ?? '').trim().toLowerCase());
    if (user === undefined) {
      const html = messagePage({
        title: 'Nobody has this address',
        text: 'Pick one of the people on the sign-in page, or sign in with a code to create somebody new.',
        action: { href: signInPath(continueTo), label: 'Back to sign-in' },
      });
      return sendPage(response, html, { status: 400 });
    }
    await startUserSession(needs, { request, response }, user.id);
    redirect(response, 303, continueTo);
  };
}

function showMailbox({ mailbox }: Sandbox): RequestHandler {
  return (request, response) => {
    const to = requestQuery(request).get('to') ?? undefined;
    sendPage(response, mailboxPage({ messages: mailbox.list(to), to }));
  };
}

function showMail({ mailbox }: Sandbox): RequestHandler<{ id: string }> {
  return (request, response) => {
    const message = mailbox.find(request.params.id);
    if (message !== undefined) return sendPage(response, mailPage({ message }));
    const html = messagePage({
      title: 'No such message',
      text: 'The mailbox keeps the newest messages, and forgets them all when the server stops.',
      action: { href: '/sandbox/mailbox', label: 'To the mailbox' },
    });
    sendPage(response, html, { status: 404 });
  };
}
