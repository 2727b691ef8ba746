import { Router } from 'express';
import type { Services } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import {
  API_KEYS_HOME,
  CLIENTS_HOME,
  inDeveloper,
  WEBHOOKS_HOME,
} from '../../web/kit/areas/developer-area.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { AlertIcon } from '../../web/kit/parts/icons.js';
import { EmptyState, Panel } from '../../web/kit/parts/panel.js';
import { type Task, TaskList } from '../../web/kit/parts/steps.js';
import { type Column, Table } from '../../web/kit/parts/table.js';
import { CopyText, Facts, NameLink, Time, UNTRANSLATED } from '../../web/kit/parts/values.js';
import { countActiveApiKeys } from '../api-keys/api-keys.js';
import { apiKeyRoutes } from '../api-keys/api-keys.pages.js';
import { countOwnClients, listOwnClients } from '../clients/clients.js';
import { clientPath } from '../clients/clients.pages.js';
import { clientRoutes, ownClientRoutes } from '../clients/clients.routes.js';
import { type AdministeredCommunity, listAdministered } from '../communities/community-access.js';
import { hasConsentingUsers } from '../oauth/consents.js';
import { listRecentFailures, type WebhookDelivery } from '../webhooks/log/deliveries.js';
import { countWebhooks } from '../webhooks/registration/webhooks.js';
import { DeliveryPill, deliveryPath, ResponseStatus, webhookPath } from '../webhooks/webhook-state.pages.js';
import { ownWebhookRoutes, webhookRoutes } from '../webhooks/webhooks.routes.js';

const SHOWN_FAILURES = 5;

/** Routes of the developer area. Every query is limited to the signed-in user. */
export function developerRoutes(needs: Services): Router {
  const { db, baseUrl } = needs;
  return Router({ caseSensitive: true, strict: true }).use(
    areaRoutes(needs, '/developer', { '/developer': { get: showHome } }),
    apiKeyRoutes(needs),
    clientRoutes(needs),
    ownClientRoutes(needs),
    webhookRoutes(needs),
    ownWebhookRoutes(needs),
  );

  async function showHome({ user, frame }: AreaRequest) {
    const { webhooks, failing, answered } = await countWebhooks(db, user.id);
    const clients = await countOwnClients(db, user.id);
    const [app] = clients === 1 ? (await listOwnClients(db, user.id)).rows : [];
    return developerHomePage({
      frame,
      baseUrl,
      progress: {
        clients,
        hasSignIns: await hasConsentingUsers(db, user.id),
        apiKeys: await countActiveApiKeys(db, user.id),
        webhooks,
        hasAnswers: answered > 0,
        firstApp: app === undefined ? CLIENTS_HOME : clientPath(app.clientId),
      },
      failingWebhooks: failing,
      failures: await listRecentFailures(db, user.id, SHOWN_FAILURES),
      communities: (await listAdministered(db, user.id)).rows,
    });
  }
}

interface HomePageProps extends PageProps {
  baseUrl: string;
  progress: {
    clients: number;
    hasSignIns: boolean;
    apiKeys: number;
    webhooks: number;
    /** True if an endpoint has answered an event with a 2xx. */
    hasAnswers: boolean;
    /** Path of the app to open for the next step, or of the list of apps if there is none. */
    firstApp: string;
  };
  failingWebhooks: number;
  failures: readonly WebhookDelivery[];
  /** Communities that the user's API keys can access. */
  communities: readonly AdministeredCommunity[];
}

export function developerHomePage(props: HomePageProps): Page {
  const { frame, progress, failingWebhooks } = props;
  return renderAreaPage({
    frame,
    ...inDeveloper('/developer'),
    title: t('Developer'),
    lead: t(
      'Sign visitors in, call the API from your server, and receive events. You can combine all three.',
    ),
    children: (
      <>
        {failingWebhooks > 0 && (
          <div class="warning">
            <AlertIcon />
            <p>
              {t('{count} of your webhooks are failing.', { count: failingWebhooks })}{' '}
              {t('Events are delayed or not delivered.')} <a href={WEBHOOKS_HOME}>{t('View webhooks')}</a>
            </p>
          </div>
        )}
        <QuickStart {...props} />
        <Tiles {...props} />
        {progress.webhooks > 0 && (
          <Panel id="failures" heading={t('Recent failures')}>
            <Table
              label={t('Recent failures')}
              columns={FAILURE_COLUMNS}
              rows={props.failures}
              empty={
                <p class="muted">{t('Every event of the last month was delivered or is on its way.')}</p>
              }
            />
          </Panel>
        )}
        <ApiDetails {...props} />
      </>
    ),
  });
}

function Tiles({ progress }: HomePageProps) {
  return (
    <ul class="tiles">
      <Tile href={CLIENTS_HOME} title={t('Apps')} count={progress.clients}>
        {t('Sign in your visitors and show content to members, in a browser or on a server.')}
      </Tile>
      <Tile href={API_KEYS_HOME} title={t('API keys')} count={progress.apiKeys}>
        {t('Your server calls the service for checkouts, invite links, membership checks and drop signups.')}
      </Tile>
      <Tile href={WEBHOOKS_HOME} title={t('Webhooks')} count={progress.webhooks}>
        {t('The service calls your server when a payment completes or a membership changes.')}
      </Tile>
    </ul>
  );
}

function Tile(props: { href: string; title: string; count: number; children: string }) {
  return (
    <li>
      <a class="tile" href={props.href}>
        <span class="tile-title">
          {props.title} <span class="muted figures">{props.count}</span>
        </span>
        <span class="muted">{props.children}</span>
      </a>
    </li>
  );
}

const FAILURE_COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    heading: phrase('Event'),
    cell: ({ id, type }) => (
      <a href={deliveryPath(id)} {...UNTRANSLATED}>
        {type}
      </a>
    ),
  },
  {
    heading: phrase('Events from'),
    cell: ({ webhookId, subjectName }) => <NameLink href={webhookPath(webhookId)} name={subjectName} />,
  },
  {
    heading: phrase('Last attempt'),
    cell: ({ lastAttempt, createdAt }) => <Time at={lastAttempt?.attemptedAt ?? createdAt} />,
  },
  { heading: phrase('Response'), cell: ({ lastAttempt }) => <ResponseStatus attempt={lastAttempt} /> },
  { heading: phrase('Status'), cell: (delivery) => <DeliveryPill delivery={delivery} /> },
];

const COMMUNITY_COLUMNS: readonly Column<AdministeredCommunity>[] = [
  { heading: phrase('Community'), cell: ({ name }) => <bdi>{name}</bdi> },
  { heading: phrase('Community ID'), cell: ({ id }) => <CopyText label={t('community ID')} value={id} /> },
  { heading: phrase('Your role'), cell: ({ role }) => t(role === 'OWNER' ? 'Owner' : 'Admin') },
];

function ApiDetails({ baseUrl, communities }: HomePageProps) {
  return (
    <Panel id="api-details" heading={t('API details')}>
      <div class="stack">
        <Facts
          facts={{
            [t('Base URL')]: <CopyText label={t('base URL')} value={baseUrl} />,
            [t('Documentation')]: t('{reference}, and {description} for programs', {
              reference: <a href="/reference">{t('API reference')}</a>,
              description: (
                <a href="/openapi.json" {...UNTRANSLATED}>
                  OpenAPI 3.1
                </a>
              ),
            }),
          }}
        />
        <Table
          label={t('Communities that your API keys can access')}
          columns={COMMUNITY_COLUMNS}
          rows={communities}
          empty={
            <EmptyState
              title={t("You don't administer a community")}
              text={t('An API key has no access until you own a community or are one of its admins.')}
              action={{ href: '/seller', label: t('Open the seller area') }}
            />
          }
        />
      </div>
    </Panel>
  );
}

function QuickStart({ progress }: HomePageProps) {
  const steps = stepsOf(progress);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Panel
      id="quick-start"
      heading={t('Quick start')}
      actions={<p class="muted">{t('{done} of {total} done', { done, total: steps.length })}</p>}
    >
      <TaskList tasks={steps} />
    </Panel>
  );
}

function stepsOf(progress: HomePageProps['progress']): Task[] {
  return [
    {
      title: t('Register an app'),
      text: t('It has the client ID that your site signs visitors in with.'),
      isDone: progress.clients > 0,
      action: { href: `${CLIENTS_HOME}/new`, label: t('Register app') },
    },
    {
      title: t('Sign the first visitor in'),
      text: t('Copy the code from the page of your app into your site.'),
      isDone: progress.hasSignIns,
      action: { href: progress.firstApp, label: t('Open code') },
    },
    {
      title: t('Create a webhook'),
      text: t('Your server learns of payments and memberships within seconds.'),
      isDone: progress.webhooks > 0,
      action: { href: `${WEBHOOKS_HOME}/new`, label: t('Create webhook') },
    },
    {
      title: t('Receive the first event'),
      text: t('Your endpoint verifies the signature and responds with a 2xx status.'),
      isDone: progress.hasAnswers,
      action: { href: WEBHOOKS_HOME, label: t('View webhooks') },
    },
    {
      title: t('Create an API key'),
      text: t('Your server needs it for checkouts, invite links and membership checks.'),
      isDone: progress.apiKeys > 0,
      action: { href: `${API_KEYS_HOME}/new`, label: t('Create key') },
    },
  ];
}
