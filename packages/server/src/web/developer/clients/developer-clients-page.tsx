import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { ClientLogo } from '../../ui/parts/picture.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** A client as its owner's list shows it. */
export interface ListedClient {
  clientId: string;
  name: string;
  type: 'public' | 'confidential';
  logoUrl: string | null;
  /** True if a problem prevents sign-in. */
  hasObstacle: boolean;
}

/** Props of {@link developerClientsPage}. */
export interface DeveloperClientsPageProps {
  frame: AreaFrame;
  clients: ListPage<ListedClient>;
  /** True for the first page of the list. */
  isFirst: boolean;
  notice?: string | undefined;
}

/** Renders the user's OAuth clients, which the pages call apps. */
export function developerClientsPage(props: DeveloperClientsPageProps): Page {
  const { frame, clients } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/clients',
    title: 'Apps',
    lead: 'An app (an OAuth client) signs your visitors in. It can read their memberships or products if they allow it.',
    notice: props.notice,
    children: (
      <section class="panel" aria-labelledby="clients">
        <div class="panel-heading">
          <h2 id="clients">Your apps</h2>
          <a class="button primary small" href="/developer/clients/new">
            Register app
          </a>
        </div>
        {clients.rows.length === 0 ? (
          <p class="empty">You have no apps.</p>
        ) : (
          <ul class="rows">
            {clients.rows.map((client) => (
              <li class="row" key={client.clientId}>
                <ClientLogo name={client.name} logoUrl={client.logoUrl} size="small" />
                <div class="row-text">
                  <p class="row-title">
                    <a href={`/developer/clients/${client.clientId}`}>
                      <bdi>{client.name}</bdi>
                    </a>
                  </p>
                  <p class="muted">
                    <code>{client.clientId}</code>
                  </p>
                </div>
                <p class="row-tags">
                  {client.hasObstacle && <span class="tag alarm">Not ready</span>}
                  <span class="tag quiet">{client.type === 'public' ? 'Public' : 'Confidential'}</span>
                </p>
              </li>
            ))}
          </ul>
        )}
        <Pager path="/developer/clients" next={clients.next} isFirst={props.isFirst} first="first apps" />
      </section>
    ),
  });
}
