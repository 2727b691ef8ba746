import { INTEGER_MAX } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import {
  findInvite,
  findJoinRequest,
  formOf,
  hashSecret,
  isActiveMember,
  listCommunitiesWithBot,
  listJoinedAccounts,
  listJoinRequests,
  listMessengerUsers,
  type MessengerInvite,
  methodNotAllowed,
  readForm,
  redirect,
  requestQuery,
  sameOriginGuard,
} from '@latchkey/server/extension';
import { messagePage, type Page, sendPage } from '@latchkey/server/ui';
import { type RequestHandler, type Response, Router } from 'express';
import { messengerInvitePage } from './messenger-invite-page.js';
import { type MessengerChat, messengerPage } from './messenger-page.js';
import { SIMULATED_LINK_PATH, type SimulatedMessenger } from './simulated-messenger.js';

/** Lengths of the lists on the pages. */
const SHOWN_CHATS = 10;
const SHOWN_PEOPLE = 50;
const SHOWN_REQUESTS = 10;
const SHOWN_ACCOUNTS = 12;

/** Pages of the simulated messenger: the communities' chats, and the page of an invite link. */
export function messengerRoutes(context: RouteContext, messenger: SimulatedMessenger): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SIMULATED_LINK_PATH).get(showMessenger(context)).all(methodNotAllowed('GET'));
  router
    .route(`${SIMULATED_LINK_PATH}/:secret`)
    .get(showInvite(context, messenger))
    .post(sameOriginGuard(context), readForm, askToJoin(context, messenger))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showMessenger({ db, clock }: RouteContext): RequestHandler {
  const readChat = async (community: {
    id: string;
    name: string;
    botName: string;
  }): Promise<MessengerChat> => {
    const joined = await listJoinedAccounts(db, community.id, SHOWN_PEOPLE);
    const now = clock.now();
    const people = joined.map(async ({ userId, ...account }) => ({
      ...account,
      userId,
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
    const page = messengerPage({ chats: await Promise.all(communities.map(readChat)) });
    sendPage(response, page, { allowsScripts: true });
  };
}

function showInvite(
  context: RouteContext,
  messenger: SimulatedMessenger,
): RequestHandler<{ secret: string }> {
  const { db, clock } = context;
  return async (request, response) => {
    const link = messenger.linkOf(request.params.secret);
    const invite = await findInvite(db, hashSecret(link), clock.now());
    if (invite === undefined) return sendUnknownLink(response);
    const asked = await findJoinRequest(db, requestQuery(request).get('request') ?? '');
    const html = await invitePage(context, {
      invite,
      action: invitePath(request.params.secret),
      outcome: asked?.inviteId === invite.id ? asked : undefined,
    });
    sendPage(response, html);
  };
}

function askToJoin(context: RouteContext, messenger: SimulatedMessenger): RequestHandler<{ secret: string }> {
  const { db, clock } = context;
  return async (request, response) => {
    const { secret } = request.params;
    const link = messenger.linkOf(secret);
    const typed = (formOf(request).get('messengerUserId') ?? '').trim();
    const messengerUserId = readAccount(typed);
    if (messengerUserId === undefined) {
      const invite = await findInvite(db, hashSecret(link), clock.now());
      if (invite === undefined) return sendUnknownLink(response);
      const html = await invitePage(context, { invite, action: invitePath(secret), typed });
      return sendPage(response, html, { status: 400 });
    }
    const { requestId } = await messenger.askToJoin(link, messengerUserId);
    if (requestId === undefined) return sendUnknownLink(response);
    const query = new URLSearchParams({ request: requestId });
    redirect(response, 303, `${invitePath(secret)}?${query}`);
  };
}

async function invitePage(
  { db, clock }: RouteContext,
  shown: {
    invite: MessengerInvite;
    action: string;
    outcome?: { messengerUserId: number; reason: string | null } | undefined;
    /** Typed text that is not the number of an account. */
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
    text: 'The address may be mistyped, or the sandbox has been restarted since the link was made.',
    action: { href: SIMULATED_LINK_PATH, label: 'To the messenger' },
  });
  sendPage(response, html, { status: 404 });
}

function invitePath(secret: string): string {
  return `${SIMULATED_LINK_PATH}/${encodeURIComponent(secret)}`;
}

/** Reads the typed number of a messenger account. */
function readAccount(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= INTEGER_MAX ? id : undefined;
}
