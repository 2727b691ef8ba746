import { INTEGER_MAX } from '@latchkey/contract/constants';
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
import { type Request, type Response, Router } from 'express';
import type { Needs } from '../services/services.js';
import { type MessengerInvitePageProps, messengerInvitePage } from './messenger-invite-page.js';
import { type MessengerChat, messengerPage } from './messenger-page.js';
import { SIMULATED_LINK_PATH, type SimulatedMessenger } from './simulated-messenger.js';

/** Lengths of the lists on the pages. */
const SHOWN_CHATS = 10;
const SHOWN_PEOPLE = 50;
const SHOWN_REQUESTS = 10;
const SHOWN_ACCOUNTS = 12;

/** Pages of the simulated messenger: the communities' chats, and the page of an invite link. */
export function messengerRoutes(
  services: Needs<'baseUrl' | 'clock' | 'db'>,
  messenger: SimulatedMessenger,
): Router {
  const { db, clock } = services;
  const readChat = async (community: BotCommunity): Promise<MessengerChat> => {
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
  const findLinked = (secret: string) => findInvite(db, hashSecret(messenger.linkOf(secret)), clock.now());
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(SIMULATED_LINK_PATH)
    .get(async (_request, response) => {
      const communities = await listCommunitiesWithBot(db, SHOWN_CHATS);
      const page = messengerPage({ chats: await Promise.all(communities.map(readChat)) });
      sendPage(response, page, { allowsScripts: true });
    })
    .all(methodNotAllowed('GET'));
  router
    .route(`${SIMULATED_LINK_PATH}/:secret`)
    .get(async (request, response) => {
      const { secret } = request.params;
      const invite = await findLinked(secret);
      if (invite === undefined) return sendUnknownLink(response);
      const asked = await findJoinRequest(db, requestQuery(request).get('request') ?? '');
      const outcome = asked?.inviteId === invite.id ? asked : undefined;
      sendPage(response, await invitePage(services, invite, { action: invitePath(secret), outcome }));
    })
    .post(sameOriginGuard(services), readForm, async (request: Request<{ secret: string }>, response) => {
      const { secret } = request.params;
      const typed = (formOf(request).get('messengerUserId') ?? '').trim();
      const messengerUserId = readAccount(typed);
      if (messengerUserId === undefined) {
        const invite = await findLinked(secret);
        if (invite === undefined) return sendUnknownLink(response);
        const html = await invitePage(services, invite, { action: invitePath(secret), typed });
        return sendPage(response, html, { status: 400 });
      }
      const { requestId } = await messenger.askToJoin(messenger.linkOf(secret), messengerUserId);
      if (requestId === undefined) return sendUnknownLink(response);
      const query = new URLSearchParams({ request: requestId });
      redirect(response, 303, `${invitePath(secret)}?${query}`);
    })
    .all(methodNotAllowed('GET, POST'));
  return router;
}

type BotCommunity = Awaited<ReturnType<typeof listCommunitiesWithBot>>[number];

async function invitePage(
  { db, clock }: Needs<'clock' | 'db'>,
  { communityName, expiresAt }: MessengerInvite,
  shown: Pick<MessengerInvitePageProps, 'action' | 'outcome' | 'typed'>,
): Promise<Page> {
  const accounts = await listMessengerUsers(db, SHOWN_ACCOUNTS);
  const hasExpired = expiresAt <= clock.now();
  return messengerInvitePage({ communityName, expiresAt, hasExpired, accounts, ...shown });
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
