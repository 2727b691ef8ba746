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
import {
  type Column,
  EmptyState,
  messagePage,
  type Page,
  Panel,
  Pill,
  sendPage,
  Table,
  Time,
} from '@latchkey/server/ui';
import { type Request, type Response, Router } from 'express';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxPage } from '../navigation/sandbox-nav.js';
import { onGet } from '../services/routes.js';
import type { Needs } from '../services/services.js';
import { type MessengerInvitePageProps, messengerInvitePage } from './messenger-invite-page.js';
import { SIMULATED_LINK_PATH, type SimulatedMessenger } from './simulated-messenger.js';

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
  onGet(router, SIMULATED_LINK_PATH, async (_request, response) => {
    const communities = await listCommunitiesWithBot(db, SHOWN_CHATS);
    const page = messengerPage({ chats: await Promise.all(communities.map(readChat)) });
    sendPage(response, page, { allowsScripts: true });
  });
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

function readAccount(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= INTEGER_MAX ? id : undefined;
}

/** A messenger account in a chat. Times are milliseconds since the epoch. */
type ChatPerson = Awaited<ReturnType<typeof listJoinedAccounts>>[number] & {
  /** True if the account's user is an active member of the community. */
  readonly isMember: boolean;
};

type ChatRequest = Omit<Awaited<ReturnType<typeof listJoinRequests>>[number], 'inviteId'>;

export interface MessengerChat {
  readonly id: string;
  readonly name: string;
  readonly botName: string;
  readonly people: readonly ChatPerson[];
  /** Newest first. */
  readonly requests: readonly ChatRequest[];
}

export function messengerPage(props: { chats: readonly MessengerChat[] }): Page {
  return sandboxPage({
    title: 'Messenger',
    scripts: [LIVE_SCRIPT.path],
    current: 'messenger',
    lead: 'The communities’ chats, simulated. An invite link lets in the buyer’s account only.',
    children: (
      <div class="console-parts" id="chats" data-live>
        {props.chats.length === 0 && (
          <Panel>
            <EmptyState
              title="No chats yet"
              text="A community has a chat once its owner names a messenger bot in the seller area."
            />
          </Panel>
        )}
        {props.chats.map((chat) => (
          <Chat key={chat.id} chat={chat} />
        ))}
      </div>
    ),
  });
}

function Chat(props: { chat: MessengerChat }) {
  const { name, botName, people, requests } = props.chat;
  return (
    <Panel heading={<bdi>{name}</bdi>}>
      <p class="muted">
        The bot <code>@{botName}</code> creates the invite links and decides on join requests.
      </p>
      <h3 class="section-label chat-heading">In the chat</h3>
      <Table
        label={`Accounts in the chat of ${name}`}
        columns={PEOPLE_COLUMNS}
        rows={people}
        empty={
          <EmptyState
            title="Empty chat"
            text="Members join with the invite link that they get after payment."
          />
        }
      />
      {requests.length > 0 && (
        <>
          <h3 class="section-label chat-heading">Latest join requests</h3>
          <Table
            label={`Latest requests to join the chat of ${name}`}
            columns={REQUEST_COLUMNS}
            rows={requests}
          />
        </>
      )}
    </Panel>
  );
}

const PEOPLE_COLUMNS: readonly Column<ChatPerson>[] = [
  {
    heading: 'Person',
    cell: ({ messengerUserId, userId, name, email }) =>
      userId === null ? (
        'Without a user'
      ) : (
        <a id={`account-${messengerUserId}`} href={dataHref('users', userId)}>
          <bdi>{name ?? email ?? userId}</bdi>
        </a>
      ),
  },
  { heading: 'Account', cell: ({ messengerUserId }) => <code>{messengerUserId}</code> },
  {
    heading: 'Membership',
    cell: ({ isMember }) => <Pill tone={isMember ? 'good' : 'neutral'}>{isMember ? 'Active' : 'Ended'}</Pill>,
  },
  { heading: 'Joined', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
];

const REQUEST_COLUMNS: readonly Column<ChatRequest>[] = [
  { heading: 'Account', cell: ({ messengerUserId }) => <code>{messengerUserId}</code> },
  {
    heading: 'Result',
    cell: ({ reason }) => (
      <div>
        <Pill tone={reason === null ? 'good' : 'bad'}>{reason === null ? 'Let in' : 'Refused'}</Pill>
        {reason !== null && <p class="muted">{reason}</p>}
      </div>
    ),
  },
  { heading: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
];
