import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { HealthTag, type WebhookState } from './webhook-health.js';

/** Webhook as its owner sees it. */
export interface OwnWebhook extends WebhookState {
  id: string;
  url: string;
  /** Name of the community or product that the events come from. */
  subjectName: string;
  communityId: string | null;
  createdAt: number;
}

/** Props of {@link developerWebhooksPage}. */
export interface DeveloperWebhooksPageProps {
  frame: AreaFrame;
  webhooks: ListPage<OwnWebhook>;
  /** True for the first page of the list. */
  isFirst: boolean;
  notice?: string | undefined;
}

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
      <section class="panel" aria-labelledby="webhooks">
        <div class="panel-heading">
          <h2 id="webhooks">Endpoints</h2>
          <a class="button primary small" href="/developer/webhooks/new">
            Create webhook
          </a>
        </div>
        {webhooks.rows.length === 0 ? (
          <p class="empty">You have no webhooks.</p>
        ) : (
          <ul class="rows">
            {webhooks.rows.map((webhook) => (
              <li class="row" key={webhook.id}>
                <div class="row-text">
                  <p class="row-title">
                    <a href={`/developer/webhooks/${webhook.id}`}>{webhook.url}</a>
                  </p>
                  <p class="muted">
                    {webhook.communityId === null ? 'Product' : 'Community'} <bdi>{webhook.subjectName}</bdi>
                    {webhook.pending > 0 && `, ${webhook.pending} pending`}
                    {webhook.failed > 0 && `, ${webhook.failed} failed`}
                  </p>
                </div>
                <p class="row-tags">
                  <HealthTag webhook={webhook} />
                </p>
              </li>
            ))}
          </ul>
        )}
        <Pager
          path="/developer/webhooks"
          next={webhooks.next}
          isFirst={props.isFirst}
          first="first webhooks"
        />
      </section>
    ),
  });
}
