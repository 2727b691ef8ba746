import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { CopyText } from '../../ui/parts/copy.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { ClientLogo } from '../../ui/parts/picture.js';
import { Pill } from '../../ui/parts/pill.js';
import { type Column, Table } from '../../ui/parts/table.js';
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

export interface DeveloperClientsPageProps {
  frame: AreaFrame;
  clients: ListPage<ListedClient>;
  isFirst: boolean;
  notice?: string | undefined;
}

const COLUMNS: readonly Column<ListedClient>[] = [
  {
    heading: 'Name',
    isRowHeading: true,
    cell: ({ clientId, name, logoUrl }) => (
      <span class="named">
        <ClientLogo name={name} logoUrl={logoUrl} size="small" />
        <a href={`/developer/clients/${clientId}`}>
          <bdi>{name}</bdi>
        </a>
      </span>
    ),
  },
  { heading: 'Client ID', cell: ({ clientId }) => <CopyText label="client ID" value={clientId} /> },
  { heading: 'Type', cell: ({ type }) => (type === 'public' ? 'Public' : 'Confidential') },
  {
    heading: 'Status',
    cell: ({ hasObstacle }) =>
      hasObstacle ? <Pill tone="warn">Not ready</Pill> : <Pill tone="good">Ready</Pill>,
  },
];

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
      <Panel
        id="clients"
        heading="Your apps"
        actions={
          clients.rows.length > 0 && (
            <ButtonLink kind="primary" isSmall href="/developer/clients/new">
              Register app
            </ButtonLink>
          )
        }
      >
        <Table
          label="Your apps"
          columns={COLUMNS}
          rows={clients.rows}
          rowKey={({ clientId }) => clientId}
          empty={
            <EmptyState
              title="You have no apps."
              text="Register an app for each site that signs visitors in."
              action={{ href: '/developer/clients/new', label: 'Register app' }}
            />
          }
        />
        <Pager path="/developer/clients" next={clients.next} isFirst={props.isFirst} first="first apps" />
      </Panel>
    ),
  });
}
