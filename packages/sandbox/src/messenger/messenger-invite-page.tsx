import type { listMessengerUsers } from '@latchkey/server/extension';
import {
  AlertIcon,
  Avatar,
  Button,
  ChatIcon,
  ErrorSummary,
  Notice,
  type Page,
  renderDocument,
  TextField,
  Time,
} from '@latchkey/server/ui';

export interface MessengerInvitePageProps {
  communityName: string;
  /** Root-relative URL of the page itself. */
  action: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  hasExpired: boolean;
  /** Accounts that can ask to join with one click. */
  accounts: readonly Omit<Awaited<ReturnType<typeof listMessengerUsers>>[number], 'id'>[];
  outcome?: { messengerUserId: number; reason: string | null } | undefined;
  /** What the visitor typed, if it isn't an account number. */
  typed?: string | undefined;
}

/**
 * Returns the page of an invite link. The visitor picks the account that asks to join: `POST` to `action` with
 * `messengerUserId`.
 */
export function messengerInvitePage(props: MessengerInvitePageProps): Page {
  const { communityName, hasExpired, outcome } = props;
  return renderDocument({
    title: `Join ${communityName}`,
    layout: 'card',
    children: (
      <main class="card">
        <div class="heading">
          <span class="state-icon good">
            <ChatIcon />
          </span>
          <h1>
            Join <bdi>{communityName}</bdi>
          </h1>
          <p class="lead">
            A simulated messenger. Choose the account that follows the link. The link{' '}
            {hasExpired ? 'expired' : 'is valid until'} <Time at={props.expiresAt} isUtc />.
          </p>
        </div>
        {outcome !== undefined && <Outcome {...outcome} />}
        {props.typed !== undefined && <ErrorSummary errors={FAULTY_NUMBER} />}
        <form class="stack" method="post" action={props.action} data-at-once>
          <ul class="people">
            {props.accounts.map((account) => (
              <li key={account.messengerUserId}>
                <Account account={account} />
              </li>
            ))}
          </ul>
        </form>
        <OtherAccount action={props.action} typed={props.typed} />
        <p class="fine centred">
          <a href="/sandbox/messenger">Show all chats</a>
        </p>
      </main>
    ),
  });
}

function Outcome(props: { messengerUserId: number; reason: string | null }) {
  const { messengerUserId, reason } = props;
  if (reason === null) {
    return <Notice text={`Account ${messengerUserId} asked to join and was let in.`} />;
  }
  return (
    <p class="notice refusal" role="status">
      <AlertIcon />
      <span>
        Account {messengerUserId} asked to join and was refused. {reason}
      </span>
    </p>
  );
}

function Account(props: { account: MessengerInvitePageProps['accounts'][number] }) {
  const { messengerUserId, name, email } = props.account;
  const shownName = name ?? email ?? `Account ${messengerUserId}`;
  return (
    <button class="person" type="submit" name="messengerUserId" value={messengerUserId}>
      <Avatar name={shownName} />
      <span class="person-text">
        <span class="person-name">
          <span class="visually-hidden">Ask to join as </span>
          <bdi>{shownName}</bdi>
        </span>
        <span class="person-email">{messengerUserId}</span>
      </span>
    </button>
  );
}

const FAULTY_NUMBER = [
  { field: 'messengerUserId', message: 'Enter a whole number from 1 to 9007199254740991.' },
];

function OtherAccount(props: { action: string; typed: string | undefined }) {
  return (
    <form class="stack" method="post" action={props.action} data-at-once>
      <TextField
        name="messengerUserId"
        label="Number of another account"
        hint="For example 1003."
        inputMode="numeric"
        required
        value={props.typed ?? ''}
        errors={props.typed === undefined ? [] : FAULTY_NUMBER}
      />
      <Button>Ask to join</Button>
    </form>
  );
}
