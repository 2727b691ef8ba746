import { Router } from 'express';
import type { Services } from '../../app/services.js';
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
import { CopyText, Facts, NameLink, Time } from '../../web/kit/parts/values.js';
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

/** Maximum number of failures on the start page. */
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
  /** Shows how far the developer has come. */
  progress: {
    clients: number;
    /** True if a user has allowed one of the apps. */
    hasSignIns: boolean;
    apiKeys: number;
    webhooks: number;
    /** True if an endpoint has answered an event with 2xx. */
    hasAnswers: boolean;
    /** An app to open for the next step; the list of apps without one. */
    firstApp: string;
  };
  failingWebhooks: number;
  /** Newest first. */
  failures: readonly WebhookDelivery[];
  /** Communities that the user's API keys can access. */
  communities: readonly AdministeredCommunity[];
}

/** Renders the start page of the developer area. */
export function developerHomePage(props: HomePageProps): Page {
  const { frame, progress, failingWebhooks } = props;
  return renderAreaPage({
    frame,
    ...inDeveloper('/developer'),
    title: 'Developer',
    lead: 'Sign visitors in, call the API from your server, and receive events. You can combine all three.',
    children: (
      <>
        {failingWebhooks > 0 && (
          <div class="warning">
            <AlertIcon />
            <p>
              {failingWebhooks === 1
                ? 'One of your webhooks is failing.'
                : `${failingWebhooks} of your webhooks are failing.`}{' '}
              Events are delayed or not delivered. <a href={WEBHOOKS_HOME}>View webhooks</a>
            </p>
          </div>
        )}
        <QuickStart {...props} />
        <Tiles {...props} />
        {progress.webhooks > 0 && (
          <Panel id="failures" heading="Recent failures">
            <Table
              label="Recent failures"
              columns={FAILURE_COLUMNS}
              rows={props.failures}
              empty={<p class="muted">Every event of the last month was delivered or is on its way.</p>}
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
      <Tile href={CLIENTS_HOME} title="Apps" count={progress.clients}>
        Sign in your visitors and show content to members, in a browser or on a server.
      </Tile>
      <Tile href={API_KEYS_HOME} title="API keys" count={progress.apiKeys}>
        Your server calls the service for checkouts, invite links, membership checks and drop signups.
      </Tile>
      <Tile href={WEBHOOKS_HOME} title="Webhooks" count={progress.webhooks}>
        The service calls your server when a payment completes or a membership changes.
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
    heading: 'Event',
    isRowHeading: true,
    cell: ({ id, type }) => <a href={deliveryPath(id)}>{type}</a>,
  },
  {
    heading: 'Events from',
    cell: ({ webhookId, subjectName }) => <NameLink href={webhookPath(webhookId)} name={subjectName} />,
  },
  {
    heading: 'Last attempt',
    cell: ({ lastAttempt, createdAt }) => <Time at={lastAttempt?.attemptedAt ?? createdAt} />,
  },
  { heading: 'Response', cell: ({ lastAttempt }) => <ResponseStatus attempt={lastAttempt} /> },
  { heading: 'Status', cell: (delivery) => <DeliveryPill delivery={delivery} /> },
];

const COMMUNITY_COLUMNS: readonly Column<AdministeredCommunity>[] = [
  { heading: 'Community', isRowHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { heading: 'Community ID', cell: ({ id }) => <CopyText label="community ID" value={id} /> },
  { heading: 'Your role', cell: ({ role }) => (role === 'OWNER' ? 'Owner' : 'Admin') },
];

const DOCUMENTATION = (
  <>
    <a href="/reference">API reference</a>, and <a href="/openapi.json">OpenAPI 3.1</a> for programs
  </>
);

function ApiDetails({ baseUrl, communities }: HomePageProps) {
  return (
    <Panel id="api-details" heading="API details">
      <div class="stack">
        <Facts
          facts={{ 'Base URL': <CopyText label="base URL" value={baseUrl} />, Documentation: DOCUMENTATION }}
        />
        <Table
          label="Communities that your API keys can access"
          columns={COMMUNITY_COLUMNS}
          rows={communities}
          empty={
            <EmptyState
              title="You don't administer a community"
              text="An API key has no access until you own a community or are one of its admins."
              action={{ href: '/seller', label: 'Open the seller area' }}
            />
          }
        />
      </div>
    </Panel>
  );
}

/** First steps of a developer, until all of them are done. */
function QuickStart({ progress }: HomePageProps) {
  const steps = stepsOf(progress);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Panel
      id="quick-start"
      heading="Quick start"
      actions={<p class="muted">{`${done} of ${steps.length} done`}</p>}
    >
      <TaskList tasks={steps} />
    </Panel>
  );
}

function stepsOf(progress: HomePageProps['progress']): Task[] {
  return [
    {
      title: 'Register an app',
      text: 'It has the client ID that your site signs visitors in with.',
      isDone: progress.clients > 0,
      action: { href: `${CLIENTS_HOME}/new`, label: 'Register app' },
    },
    {
      title: 'Sign the first visitor in',
      text: 'Copy the code from the page of your app into your site.',
      isDone: progress.hasSignIns,
      action: { href: progress.firstApp, label: 'Open code' },
    },
    {
      title: 'Create a webhook',
      text: 'Your server learns of payments and memberships within seconds.',
      isDone: progress.webhooks > 0,
      action: { href: `${WEBHOOKS_HOME}/new`, label: 'Create webhook' },
    },
    {
      title: 'Receive the first event',
      text: 'Your endpoint verifies the signature and responds with a 2xx status.',
      isDone: progress.hasAnswers,
      action: { href: WEBHOOKS_HOME, label: 'View webhooks' },
    },
    {
      title: 'Create an API key',
      text: 'Your server needs it for checkouts, invite links and membership checks.',
      isDone: progress.apiKeys > 0,
      action: { href: `${API_KEYS_HOME}/new`, label: 'Create key' },
    },
  ];
}
