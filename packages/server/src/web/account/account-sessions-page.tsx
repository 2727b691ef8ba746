import { AccountField, type AreaFrame, renderAreaPage } from '../ui/area-page.js';
import { Switch } from '../ui/form-field.js';
import { PlainDate, PlainDateTime } from '../ui/plain-time.js';
import type { Page } from '../ui/site.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** A browser in which the person is signed in. Times are milliseconds since the epoch. */
export interface ListedSession {
  createdAt: number;
  /** When it ends by itself. */
  expiresAt: number;
  /** Whether it is the browser that the page is shown in. */
  isCurrent: boolean;
}

/** Props of {@link accountSessionsPage}. */
export interface AccountSessionsPageProps {
  frame: AreaFrame;
  /** Newest first. */
  sessions: readonly ListedSession[];
  /** Whether there are more. */
  hasMore: boolean;
  /** How many apps the person has allowed. */
  apps: number;
  notice?: string | undefined;
}

/**
 * Where the person is signed in, and how to end it: `POST /account/sessions/end` with `which` = `others` or `all`, and
 * `apps` = `on` to end the tokens of every app as well.
 */
export function accountSessionsPage(props: AccountSessionsPageProps): Page {
  const { frame, sessions, hasMore } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account/sessions',
    title: 'Where you are signed in',
    lead: 'Every browser in which you have signed in to this service, and have not signed out.',
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
                    Ends by itself on <PlainDate at={session.expiresAt} />
                  </p>
                </div>
                {session.isCurrent && <p class="tag">this browser</p>}
              </li>
            ))}
          </ul>
          {hasMore && <p class="muted">And more, signed in before.</p>}
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
        For a browser that you cannot reach any more, or when somebody may have had your mailbox. It works at
        once, everywhere.
      </p>
      <AccountField account={frame.account} />
      <Switch name="apps" label="Sign out of my apps as well" hint={appsInWords(apps)} checked={false} />
      <div class="form-actions">
        <button class="button secondary" type="submit" name="which" value="others">
          Sign out all other browsers
        </button>
        <button class="button danger" type="submit" name="which" value="all">
          Sign out everywhere, here too
        </button>
      </div>
    </form>
  );
}

function appsInWords(apps: number): string {
  if (apps === 0) return 'You have allowed no app.';
  const count = apps === 1 ? 'one app' : `${apps} apps`;
  return `You have allowed ${count}. That access ends at once, wherever you use it. What you have allowed stays allowed: you can sign in again without being asked.`;
}
