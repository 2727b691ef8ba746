import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { ActionForm } from '../ui/parts/action-form.js';
import { Button } from '../ui/parts/button.js';
import { Switch } from '../ui/parts/form-field.js';
import { Panel } from '../ui/parts/panel.js';
import { Pill } from '../ui/parts/pill.js';
import { type Column, Table } from '../ui/parts/table.js';
import { formatTime, Time } from '../ui/parts/time.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** Browser in which the user is signed in. Times are milliseconds since the epoch. */
export interface ListedSession {
  /** Identifies the session among those of its user. */
  id: string;
  /** Null if it is unknown. */
  browser: string | null;
  /** Null if it is unknown. */
  network: string | null;
  createdAt: number;
  /** Accurate to a few minutes. */
  lastUsedAt: number;
  expiresAt: number;
  /** True for the browser that shows the page. */
  isCurrent: boolean;
}

export interface AccountSessionsPageProps {
  frame: AreaFrame;
  /** Newest first. */
  sessions: readonly ListedSession[];
  /** True if there are older sessions that are not listed. */
  hasMore: boolean;
  /** Number of apps that the user has allowed. */
  apps: number;
  notice?: string | undefined;
}

/**
 * Renders the list of the user's sessions. `POST /account/sessions/sign-out` with `session` ends one of them.
 * `POST /account/sessions/end` with `which` = `others` or `all` ends several, and `apps` = `on` revokes the tokens of all apps
 * too.
 */
export function accountSessionsPage(props: AccountSessionsPageProps): Page {
  const { frame, sessions, hasMore } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account/sessions',
    title: 'Sessions',
    lead: 'The browsers in which you are signed in to this service. Sign out of each one that you do not recognise.',
    notice: props.notice,
    children: (
      <>
        <Panel id="sessions" heading="Browsers">
          <div class="stack">
            <Table
              label="Browsers"
              columns={columnsFor(frame.account)}
              rows={sessions}
              rowKey={({ id }) => id}
            />
            <p class="muted">
              A network is the shortened address of your connection. We do not store the whole address.
              {hasMore && ' Older sessions are not listed.'}
            </p>
          </div>
        </Panel>
        <EndSessions {...props} />
      </>
    ),
  });
}

function columnsFor(account: string): readonly Column<ListedSession>[] {
  return [
    {
      heading: 'Browser',
      isRowHeading: true,
      cell: ({ browser, isCurrent }) => (
        <span class="named">
          {browser ?? 'Unknown browser'}
          {isCurrent && <Pill tone="good">This browser</Pill>}
        </span>
      ),
    },
    {
      heading: 'Network',
      cell: ({ network }) => (network === null ? 'Unknown' : <code dir="ltr">{network}</code>),
    },
    {
      heading: 'Last used',
      cell: ({ lastUsedAt, isCurrent }) => (isCurrent ? 'Now' : <Time at={lastUsedAt} />),
    },
    { heading: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      heading: 'Actions',
      isHeadingHidden: true,
      isNumeric: true,
      cell: ({ id, browser, isCurrent, createdAt }) =>
        !isCurrent && (
          <ActionForm
            action="/account/sessions/sign-out"
            account={account}
            fields={{ session: id }}
            label="Sign out"
            about={`of ${browser ?? 'the unknown browser'}, signed in on ${formatTime(createdAt)}`}
          />
        ),
    },
  ];
}

function EndSessions({ frame, apps }: AccountSessionsPageProps) {
  return (
    <form class="panel form" method="post" action="/account/sessions/end" aria-labelledby="end">
      <h2 id="end">Sign out elsewhere</h2>
      <p>
        Use this if you lost a device, or if someone else may have had access to your mailbox. It takes effect
        at once.
      </p>
      <AccountField account={frame.account} />
      {apps > 0 && (
        <Switch name="apps" label="Sign out of my apps as well" hint={appsInWords(apps)} checked={false} />
      )}
      <div class="form-actions">
        <Button name="which" value="others">
          Sign out of all other browsers
        </Button>
        <Button kind="danger" name="which" value="all">
          Sign out of all browsers, including this one
        </Button>
      </div>
    </form>
  );
}

function appsInWords(apps: number): string {
  if (apps === 0) return "You haven't allowed any apps.";
  const count = apps === 1 ? 'one app' : `${apps} apps`;
  return `You have allowed ${count}. Their access ends at once, on all devices. When you sign in to them again, they won't ask for your consent again.`;
}
