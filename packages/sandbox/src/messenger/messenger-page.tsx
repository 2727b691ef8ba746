import type { listJoinedAccounts, listJoinRequests } from '@latchkey/server/extension';
import {
  type Column,
  EmptyState,
  type Page,
  Panel,
  Pill,
  renderDocument,
  Table,
  Time,
} from '@latchkey/server/ui';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

/** A messenger account in a chat. Times are milliseconds since the epoch. */
type ChatPerson = Awaited<ReturnType<typeof listJoinedAccounts>>[number] & {
  /** True if the account's user is an active member of the community. */
  readonly isMember: boolean;
};

/** A messenger account's request to join a chat. */
type ChatRequest = Omit<Awaited<ReturnType<typeof listJoinRequests>>[number], 'inviteId'>;

/** A community's chat in the simulated messenger. */
export interface MessengerChat {
  /** The community's id. */
  readonly id: string;
  readonly name: string;
  readonly botName: string;
  readonly people: readonly ChatPerson[];
  /** Newest first. */
  readonly requests: readonly ChatRequest[];
}

/** Returns the messenger page: members and latest join requests of each community's chat. */
export function messengerPage(props: { chats: readonly MessengerChat[] }): Page {
  return renderDocument({
    title: 'Messenger',
    layout: 'reference',
    scripts: [LIVE_SCRIPT.path],
    ...sandboxHeader('messenger'),
    children: (
      <main class="console" id="content">
        <div class="page-heading">
          <h1>Messenger</h1>
          <p class="lead">
            The communities’ chats, simulated. An invite link lets in the buyer’s account only.
          </p>
        </div>
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
      </main>
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
