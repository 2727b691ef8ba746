import { INTEGER_MAX } from '@latchkey/contract/constants';
import { type RequestHandler, type Response, Router } from 'express';
import { listCommunitiesWithBot } from '../domain/communities/communities.js';
import {
  findInvite,
  findJoinRequest,
  isActiveMember,
  listJoinedAccounts,
  listJoinRequests,
  type MessengerInvite,
} from '../domain/messenger/messenger-accounts.js';
import { listMessengerUsers } from '../domain/users/users.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import { methodNotAllowed } from '../platform/http/error-handler.js';
import { redirect } from '../platform/http/redirect.js';
import { formOf, readForm } from '../platform/http/request-body.js';
import { requestQuery } from '../platform/http/request-query.js';
import { hashSecret } from '../platform/secrets.js';
import { messagePage } from '../web/ui/message-page.js';
import { sameOriginGuard } from '../web/ui/same-origin-guard.js';
import { sendPage } from '../web/ui/send-page.js';
import type { Page } from '../web/ui/site.js';
import { messengerInvitePage } from './messenger-invite-page.js';
import { type MessengerChat, messengerPage } from './messenger-page.js';
import type { Sandbox } from './sandbox.js';
import { SIMULATED_LINK_PATH } from './simulated-messenger.js';

interface MessengerRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** How much of the messenger is shown. */
const SHOWN_CHATS = 10;
const SHOWN_PEOPLE = 50;
const SHOWN_REQUESTS = 10;
const SHOWN_ACCOUNTS = 12;

/** The simulated messenger's pages: the communities' chats, and where an invite link leads. */
export function messengerRoutes(needs: MessengerRoutesNeeds, sandbox: Sandbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SIMULATED_LINK_PATH).get(showMessenger(needs)).all(methodNotAllowed('GET'));
  router
    .route(`${SIMULATED_LINK_PATH}/:secret`)
    .get(showInvite(needs, sandbox))
    .post(sameOriginGuard(needs), readForm, askToJoin(needs, sandbox))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showMessenger({ db, clock }: MessengerRoutesNeeds): RequestHandler {
  const readChat = async (community: {
    id: string;
    name: string;
    botName: string;
  }): Promise<MessengerChat> => {
    const joined = await listJoinedAccounts(db, community.id, SHOWN_PEOPLE);
    const now = clock.now();
    const people = joined.map(async ({ userId, ...account }) => ({
      ...account,
      isMember: userId !== null && (await isActiveMember(db, { communityId: community.id, userId }, now)),
    }));
    return {
      ...community,
      people: await Promise.all(people),
      requests: await listJoinRequests(db, community.id, SHOWN_REQUESTS),
    };
  };
  return async (_request, response) => {
    const communities = await listCommunitiesWithBot(db, SHOWN_CHATS);
    sendPage(response, messengerPage({ chats: await Promise.all(communities.map(readChat)) }));
  };
}

function showInvite(needs: MessengerRoutesNeeds, { messenger }: Sandbox): RequestHandler<{ secret: string }> {
  const { db, clock } = needs;
  return async (request, response) => {
    const link = messenger.linkOf(request.params.secret);
    const invite = await findInvite(db, hashSecret(link), clock.now());
    if (invite === undefined) return sendUnknownLink(response);
    const asked = await findJoinRequest(db, requestQuery(request).get('request') ?? '');
    const html = await invitePage(needs, {
      invite,
      action: invitePath(request.params.secret),
      outcome: asked?.inviteId === invite.id ? asked : undefined,
    });
    sendPage(response, html);
  };
}

function askToJoin(needs: MessengerRoutesNeeds, { messenger }: Sandbox): RequestHandler<{ secret: string }> {
  const { db, clock } = needs;
  return async (request, response) => {
    const { secret } = request.params;
    const link = messenger.linkOf(secret);
    const typed = (formOf(request).get('messengerUserId') ?? '').trim();
    const messengerUserId = readAccount(typed);
    if (messengerUserId === undefined) {
      const invite = await findInvite(db, hashSecret(link), clock.now());
      if (invite === undefined) return sendUnknownLink(response);
      const html = await invitePage(needs, { invite, action: invitePath(secret), typed });
      return sendPage(response, html, { status: 400 });
    }
    const { requestId } = await messenger.askToJoin(link, messengerUserId);
    if (requestId === undefined) return sendUnknownLink(response);
    const query = new URLSearchParams({ request: requestId });
    redirect(response, 303, `${invitePath(secret)}?${query}`);
  };
}

async function invitePage(
  { db, clock }: MessengerRoutesNeeds,
  shown: {
    invite: MessengerInvite;
    action: string;
    outcome?: { messengerUserId: number; reason: string | null } | undefined;
    /** What was typed as the number of an account, and is none. */
    typed?: string;
  },
): Promise<Page> {
  const { invite, action, outcome, typed } = shown;
  return messengerInvitePage({
    communityName: invite.communityName,
    action,
    expiresAt: invite.expiresAt,
    hasExpired: invite.expiresAt <= clock.now(),
    accounts: await listMessengerUsers(db, SHOWN_ACCOUNTS),
    outcome,
    typed,
  });
}

function sendUnknownLink(response: Response): void {
  const html = messagePage({
    title: 'No such invite link',
    text: 'The address may be mistyped, or the sandbox that made the link has been started anew.',
    action: { href: SIMULATED_LINK_PATH, label: 'To the messenger' },
  });
  sendPage(response, html, { status: 404 });
}

function invitePath(secret: string): string {
  return `${SIMULATED_LINK_PATH}/${encodeURIComponent(secret)}`;
}

/** The number of a messenger account, as people type it. */
function readAccount(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= INTEGER_MAX ? id : undefined;
}
