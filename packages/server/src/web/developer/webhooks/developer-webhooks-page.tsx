import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Count } from '../../ui/parts/money.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { type ListedDelivery, ResponseStatus } from './webhook-delivery.js';
import { HealthPill, type WebhookState } from './webhook-health.js';

export interface OwnWebhook extends WebhookState {
  id: string;
  url: string;
  /** Name of the community or product that the events come from. */
  subjectName: string;
  communityId: string | null;
  createdAt: number;
}

export interface ListedOwnWebhook extends OwnWebhook {
  /** Undefined before the first event. */
  lastDelivery: ListedDelivery | undefined;
}

export interface DeveloperWebhooksPageProps {
  frame: AreaFrame;
  webhooks: ListPage<ListedOwnWebhook>;
  isFirst: boolean;
  notice?: string | undefined;
}

const COLUMNS: readonly Column<ListedOwnWebhook>[] = [
  {
    heading: 'Events from',
    isRowHeading: true,
    cell: ({ id, subjectName, communityId, url }) => (
      <>
        <a href={`/developer/webhooks/${id}`}>
          <bdi>{subjectName}</bdi>
        </a>
        <p class="muted">{communityId === null ? 'Product' : 'Community'}</p>
        <p class="muted" dir="ltr">
          {url}
        </p>
      </>
    ),
  },
  {
    heading: 'Last delivery',
    cell: ({ lastDelivery }) =>
      lastDelivery === undefined ? (
        <span class="muted">None yet</span>
      ) : (
        <div>
          <Time at={lastDelivery.lastAttempt?.attemptedAt ?? lastDelivery.createdAt} />
          <p class="muted">
            {lastDelivery.type}: <ResponseStatus attempt={lastDelivery.lastAttempt} />
          </p>
        </div>
      ),
  },
  { heading: 'Failed', isNumeric: true, cell: ({ failed }) => <Count value={failed} /> },
  { heading: 'Status', cell: (webhook) => <HealthPill webhook={webhook} /> },
];

/** Renders the user's webhooks with their states. */
export function developerWebhooksPage(props: DeveloperWebhooksPageProps): Page {
  const { frame, webhooks } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
    title: 'Your webhooks',
    heading: 'Webhooks',
    lead: 'The service calls your server about events in communities that you own and products that you sell.',
    notice: props.notice,
    children: (
      <Panel
        id="webhooks"
        heading="Endpoints"
        actions={
          webhooks.rows.length > 0 && (
            <ButtonLink kind="primary" isSmall href="/developer/webhooks/new">
              Create webhook
            </ButtonLink>
          )
        }
      >
        <Table
          label="Webhooks"
          columns={COLUMNS}
          rows={webhooks.rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              title="You have no webhooks."
              text="A webhook sends your server an event when a payment completes or a membership changes."
              action={{ href: '/developer/webhooks/new', label: 'Create webhook' }}
            />
          }
        />
        <Pager
          path="/developer/webhooks"
          next={webhooks.next}
          isFirst={props.isFirst}
          first="first webhooks"
        />
      </Panel>
    ),
  });
}
