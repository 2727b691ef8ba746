import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Switch } from '../ui/parts/form-field.js';
import { PlainDate, PlainDateTime } from '../ui/parts/plain-time.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** Browser in which the user is signed in. Times are milliseconds since the epoch. */
export interface ListedSession {
  createdAt: number;
  expiresAt: number;
  /** True for the browser that shows the page. */
  isCurrent: boolean;
}

/** Props of {@link accountSessionsPage}. */
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
 * Renders the list of the user's sessions. `POST /account/sessions/end` with `which` = `others` or `all` ends them.
 * `apps` = `on` revokes the tokens of all apps too.
 */
export function accountSessionsPage(props: AccountSessionsPageProps): Page {
  const { frame, sessions, hasMore } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account/sessions',
    title: 'Sessions',
    lead: 'All browsers in which you are signed in to this service.',
    notice: props.notice,
    children: (
      <>
        <section class="panel" aria-labelledby="sessions">
          <h2 id="sessions">Browsers</h2>
          <ul class="rows">
            {sessions.map((session, index) => (
              <li class="row" key={`${session.createdAt} ${index}`}>
                <div class="row-text">
                  <p class="row-title">
                    Signed in on <PlainDateTime at={session.createdAt} />
                  </p>
                  <p class="muted">
                    Expires on <PlainDate at={session.expiresAt} />
                  </p>
                </div>
                {session.isCurrent && <p class="tag">This browser</p>}
              </li>
            ))}
          </ul>
          {hasMore && <p class="muted">Older sessions are not listed.</p>}
        </section>
        <EndSessions {...props} />
      </>
    ),
  });
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
      <Switch name="apps" label="Sign out of my apps as well" hint={appsInWords(apps)} checked={false} />
      <div class="form-actions">
        <button class="button secondary" type="submit" name="which" value="others">
          Sign out of all other browsers
        </button>
        <button class="button danger" type="submit" name="which" value="all">
          Sign out of all browsers, including this one
        </button>
      </div>
    </form>
  );
}

function appsInWords(apps: number): string {
  if (apps === 0) return "You haven't allowed any apps.";
  const count = apps === 1 ? 'one app' : `${apps} apps`;
  return `You have allowed ${count}. Their access ends at once, on all devices. When you sign in to them again, they won't ask for your consent again.`;
}
