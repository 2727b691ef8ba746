import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { browserInWords } from '../../platform/http/browser-name.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import { accountNotice, inAccount, SESSIONS_PATH } from '../../web/kit/areas/account-area.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { sessionIdsIn, writeUserSession } from '../../web/kit/areas/user-session.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { Switch } from '../../web/kit/parts/form-field.js';
import { AccountField, ActionForm, Button } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { actionsColumn, type Column, Table } from '../../web/kit/parts/table.js';
import { Pill, Time } from '../../web/kit/parts/values.js';
import { countConsents } from '../oauth/consents.js';
import { rememberThisBrowser } from '../sign-in/known-browser.pages.js';
import { provenHashOf } from '../sign-in/second-step.routes.js';
import { endAllSessions, endListedSession, type ListedSession, listSessions } from './sessions.js';

const SHOWN_SESSIONS = 50;

export function sessionRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, SESSIONS_PATH, {
    [SESSIONS_PATH]: { get: show },
    [`${SESSIONS_PATH}/sign-out`]: { post: endOne },
    [`${SESSIONS_PATH}/end`]: { post: endSeveral },
  });

  async function show({ user, frame, query, request }: AreaRequest) {
    const { current: sessionId } = sessionIdsIn(needs, request);
    const shown = { userId: user.id, sessionId, limit: SHOWN_SESSIONS + 1 };
    const sessions = await listSessions(db, shown, clock.now());
    return accountSessionsPage({
      frame,
      sessions: sessions.slice(0, SHOWN_SESSIONS),
      hasMore: sessions.length > SHOWN_SESSIONS,
      apps: await countConsents(db, user.id),
      notice: accountNotice(query),
    });
  }

  /** Changes nothing if the session has already ended or belongs to another user. */
  async function endOne({ user, form }: AreaForm) {
    const ended = await endListedSession(db, { userId: user.id, id: form.get('session') ?? '' });
    return ended ? `${SESSIONS_PATH}?done=session` : SESSIONS_PATH;
  }

  async function endSeveral(area: AreaForm) {
    const { user, form, request, response } = area;
    const which = form.get('which');
    if (which !== 'others' && which !== 'all') return SESSIONS_PATH;
    const apps = form.has('apps');
    const { current, others } = sessionIdsIn(needs, request);
    const except = which === 'others' ? current : undefined;
    const provenHash = which === 'others' ? await provenHashOf(needs, area) : undefined;
    await endAllSessions(db, { userId: user.id, except, apps, provenHash }, clock.now());
    if (which === 'all') {
      writeUserSession(needs, response, ['', ...others]);
      return '/signed-out';
    }
    await rememberThisBrowser(needs, area, user.email);
    return `${SESSIONS_PATH}?done=${apps ? 'others-and-apps' : 'others'}`;
  }
}

interface SessionsPageProps extends PageProps {
  sessions: readonly ListedSession[];
  hasMore: boolean;
  apps: number;
}

export function accountSessionsPage(props: SessionsPageProps): Page {
  const { sessions, hasMore } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(SESSIONS_PATH),
    title: t('Sessions'),
    lead: t(
      'The browsers in which you are signed in to this service. Sign out of each one that you do not recognise.',
    ),
    children: (
      <>
        <Panel id="sessions" heading={t('Browsers')}>
          <div class="stack">
            <Table label={t('Browsers')} columns={COLUMNS} rows={sessions} />
            <p class="muted">
              {t('A network is the shortened address of your connection. We do not store the whole address.')}
              {hasMore && ` ${t('Older sessions are not listed.')}`}
            </p>
          </div>
        </Panel>
        <EndSessions {...props} />
      </>
    ),
  });
}

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    heading: phrase('Browser'),
    cell: ({ browser, isCurrent }) => (
      <span class="named">
        {browserInWords(browser) ?? t('Unknown browser')}
        {isCurrent && <Pill tone="good">{t('This browser')}</Pill>}
      </span>
    ),
  },
  {
    heading: phrase('Network'),
    cell: ({ network }) => (network === null ? t('Unknown') : <code dir="ltr">{network}</code>),
  },
  {
    heading: phrase('Last used'),
    cell: ({ lastUsedAt, isCurrent }) => (isCurrent ? t('Now') : <Time at={lastUsedAt} />),
  },
  { heading: phrase('Signed in'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  actionsColumn(
    ({ id, browser, isCurrent, createdAt }) =>
      !isCurrent && (
        <ActionForm
          action="/account/sessions/sign-out"
          fields={{ session: id }}
          label={t('Sign out')}
          about={t('of {browser}, signed in on {date}', {
            browser: browserInWords(browser) ?? t('the unknown browser'),
            date: formatTime(createdAt),
          })}
        />
      ),
  ),
];

function EndSessions({ apps }: SessionsPageProps) {
  return (
    <form class="panel form" method="post" action="/account/sessions/end" aria-labelledby="end">
      <h2 id="end">{t('Sign out elsewhere')}</h2>
      <p>
        {t(
          'Use this if you lost a device, or if someone else may have had access to your mailbox. It takes effect at once.',
        )}
      </p>
      <AccountField />
      {apps > 0 && (
        <Switch
          name="apps"
          label={t('Sign out of my apps as well')}
          hint={t(
            "You have allowed {count} apps. Their access ends at once, on all devices. When you sign in to them again, they won't ask for your consent again.",
            { count: apps },
          )}
          checked={false}
        />
      )}
      <div class="form-actions">
        <Button name="which" value="others">
          {t('Sign out of all other browsers')}
        </Button>
        <Button kind="danger" name="which" value="all">
          {t('Sign out of all browsers, including this one')}
        </Button>
      </div>
    </form>
  );
}
