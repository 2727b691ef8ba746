import { Avatar, type Page, Pill, renderDocument, Time } from '@latchkey/server/ui';
import { dataHref } from '../navigation/data-href.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

/** A messenger account in a chat. */
export interface ChatPerson {
  messengerUserId: number;
  /** Null for an account that no user has. */
  userId: string | null;
  name: string | null;
  email: string | null;
  /** Milliseconds since the epoch. */
  joinedAt: number;
  /** True if the account's user is an active member of the community. */
  isMember: boolean;
}

/** A community's chat in the simulated messenger. */
export interface MessengerChat {
  /** The community's id. */
  id: string;
  name: string;
  botName: string;
  people: readonly ChatPerson[];
  /** Newest first. `reason` is null if the account was let in. */
  requests: readonly { id: string; messengerUserId: number; reason: string | null; createdAt: number }[];
}

/** Props of {@link messengerPage}. */
export interface MessengerPageProps {
  chats: readonly MessengerChat[];
}

/** Messenger page: members and latest join requests of each community's chat. */
export function messengerPage(props: MessengerPageProps): Page {
  return renderDocument({
    title: 'Messenger',
    layout: 'wide',
    scripts: [LIVE_SCRIPT.path],
    ...sandboxHeader('messenger'),
    children: (
      <main class="column">
        <div class="page-heading">
          <h1>Messenger</h1>
          <p class="lead">
            The chats of the communities, simulated. Follow an invite link to ask to join; only the buyer’s
            own account is let in.
          </p>
        </div>
        <div class="column" id="chats" data-live>
          {props.chats.length === 0 && (
            <div class="panel">
              <p class="empty">No community has a messenger bot. Its owner names one in the seller area.</p>
            </div>
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
  const { chat } = props;
  return (
    <section class="panel" aria-labelledby={`chat-${chat.id}`}>
      <h2 id={`chat-${chat.id}`}>
        <bdi>{chat.name}</bdi>
      </h2>
      <p class="muted">
        Its bot <code>@{chat.botName}</code> mints the invite links and answers those who ask.
      </p>
      <h3 class="section-label chat-heading">In the chat</h3>
      {chat.people.length === 0 ? (
        <p class="empty">Nobody yet.</p>
      ) : (
        <ul class="rows">
          {chat.people.map((person) => (
            <Person key={person.messengerUserId} person={person} />
          ))}
        </ul>
      )}
      <h3 class="section-label chat-heading">Latest join requests</h3>
      {chat.requests.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <ul class="rows">
          {chat.requests.map(({ id, messengerUserId, reason, createdAt }) => (
            <li class="row" key={id} id={`request-${id}`}>
              <div class="row-text">
                <p class="row-title">
                  Account {messengerUserId}{' '}
                  <Pill tone={reason === null ? 'good' : 'bad'}>
                    {reason === null ? 'let in' : 'refused'}
                  </Pill>
                </p>
                {reason !== null && <p class="muted">{reason}</p>}
              </div>
              <p class="row-end muted">
                <Time at={createdAt} isUtc />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Person(props: { person: ChatPerson }) {
  const { messengerUserId, userId, name, email, joinedAt, isMember } = props.person;
  const shownName = name ?? email ?? `Account ${messengerUserId}`;
  return (
    <li class="row">
      <Avatar name={shownName} />
      <div class="row-text">
        <p class="row-title">
          {userId === null ? (
            <bdi>{shownName}</bdi>
          ) : (
            <a id={`account-${messengerUserId}`} href={dataHref('users', userId)}>
              <bdi>{shownName}</bdi>
            </a>
          )}
        </p>
        <p class="muted">
          Account {messengerUserId}, since <Time at={joinedAt} isUtc />
        </p>
      </div>
      <p class="row-end">
        <Pill tone={isMember ? 'good' : 'bad'}>{isMember ? 'member' : 'membership over'}</Pill>
      </p>
    </li>
  );
}
