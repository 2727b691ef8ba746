import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { CopyText } from '../../ui/parts/copy.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Task, TaskList } from '../../ui/parts/steps.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import {
  DeliveryPill,
  deliveryPath,
  type ListedDelivery,
  ResponseStatus,
} from '../webhooks/webhook-delivery.js';

/** Delivery whose last attempt failed. */
export interface ListedFailure extends ListedDelivery {
  /** Name of the community or product. */
  subjectName: string;
}

/** Community that the user's API keys can access. */
export interface DeveloperCommunity {
  id: string;
  name: string;
  role: 'OWNER' | 'ADMIN';
}

export interface DeveloperHomePageProps {
  frame: AreaFrame;
  /** The service's own origin. */
  baseUrl: string;
  progress: DeveloperProgress;
  failingWebhooks: number;
  /** Newest first. */
  failures: readonly ListedFailure[];
  communities: readonly DeveloperCommunity[];
}

/** Renders the start page of the developer area. */
export function developerHomePage(props: DeveloperHomePageProps): Page {
  const { frame, progress, failingWebhooks } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer',
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
              Events are delayed or not delivered. <a href="/developer/webhooks">View webhooks</a>
            </p>
          </div>
        )}
        <QuickStart progress={progress} />
        <Tiles progress={progress} />
        {progress.webhooks > 0 && <Failures failures={props.failures} />}
        <ApiDetails {...props} />
      </>
    ),
  });
}

function Tiles({ progress }: { progress: DeveloperProgress }) {
  return (
    <ul class="tiles">
      <Tile href="/developer/clients" title="Apps" count={progress.clients}>
        Sign in your visitors and show content to members, in a browser or on a server.
      </Tile>
      <Tile href="/developer/api-keys" title="API keys" count={progress.apiKeys}>
        Your server calls the service for checkouts, invite links, membership checks and drop signups.
      </Tile>
      <Tile href="/developer/webhooks" title="Webhooks" count={progress.webhooks}>
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

const FAILURE_COLUMNS: readonly Column<ListedFailure>[] = [
  {
    heading: 'Event',
    isRowHeading: true,
    cell: ({ id, type }) => <a href={deliveryPath(id)}>{type}</a>,
  },
  {
    heading: 'Events from',
    cell: ({ webhookId, subjectName }) => (
      <a href={`/developer/webhooks/${webhookId}`}>
        <bdi>{subjectName}</bdi>
      </a>
    ),
  },
  {
    heading: 'Last attempt',
    cell: ({ lastAttempt, createdAt }) => <Time at={lastAttempt?.attemptedAt ?? createdAt} />,
  },
  { heading: 'Response', cell: ({ lastAttempt }) => <ResponseStatus attempt={lastAttempt} /> },
  { heading: 'Status', cell: (delivery) => <DeliveryPill delivery={delivery} /> },
];

function Failures({ failures }: { failures: readonly ListedFailure[] }) {
  return (
    <Panel id="failures" heading="Recent failures">
      <Table
        label="Recent failures"
        columns={FAILURE_COLUMNS}
        rows={failures}
        rowKey={({ id }) => id}
        empty={<p class="muted">Every event of the last month was delivered or is on its way.</p>}
      />
    </Panel>
  );
}

const COMMUNITY_COLUMNS: readonly Column<DeveloperCommunity>[] = [
  { heading: 'Community', isRowHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { heading: 'Community ID', cell: ({ id }) => <CopyText label="community ID" value={id} /> },
  { heading: 'Your role', cell: ({ role }) => (role === 'OWNER' ? 'Owner' : 'Admin') },
];

function ApiDetails({ baseUrl, communities }: Pick<DeveloperHomePageProps, 'baseUrl' | 'communities'>) {
  return (
    <Panel id="api-details" heading="API details">
      <div class="stack">
        <dl class="facts">
          <dt>Base URL</dt>
          <dd>
            <CopyText label="base URL" value={baseUrl} />
          </dd>
          <dt>Documentation</dt>
          <dd>
            <a href="/reference">API reference</a>, and <a href="/openapi.json">OpenAPI 3.1</a> for programs
          </dd>
        </dl>
        <Table
          label="Communities that your API keys can access"
          columns={COMMUNITY_COLUMNS}
          rows={communities}
          rowKey={({ id }) => id}
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

/** Numbers that show how far a developer has come. */
interface DeveloperProgress {
  clients: number;
  /** True if a user has allowed one of the apps. */
  hasSignIns: boolean;
  apiKeys: number;
  webhooks: number;
  /** True if an endpoint has answered an event with 2xx. */
  hasAnswers: boolean;
  /** An app to open for the next step; the list of apps without one. */
  firstApp: string;
}

/** First steps of a developer, until all of them are done. */
function QuickStart({ progress }: { progress: DeveloperProgress }) {
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

function stepsOf(progress: DeveloperProgress): Task[] {
  return [
    {
      title: 'Register an app',
      text: 'It has the client ID that your site signs visitors in with.',
      isDone: progress.clients > 0,
      action: { href: '/developer/clients/new', label: 'Register app' },
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
      action: { href: '/developer/webhooks/new', label: 'Create webhook' },
    },
    {
      title: 'Receive the first event',
      text: 'Your endpoint verifies the signature and responds with a 2xx status.',
      isDone: progress.hasAnswers,
      action: { href: '/developer/webhooks', label: 'View webhooks' },
    },
    {
      title: 'Create an API key',
      text: 'Your server needs it for checkouts, invite links and membership checks.',
      isDone: progress.apiKeys > 0,
      action: { href: '/developer/api-keys/new', label: 'Create key' },
    },
  ];
}
