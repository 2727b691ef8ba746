import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { DropSlot } from '../../../domain/drops/drops.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { DropPill, Signups } from './drop-status.js';

export interface SellerDropsPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Earliest start first. */
  drops: ListPage<DropSlot>;
  isFirst: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Renders the drops of a community, latest start first. */
export function sellerDropsPage(props: SellerDropsPageProps): Page {
  const { community, drops, isFirst, now } = props;
  const path = `${communityPath(community.id)}/drops`;
  return renderCommunityPage({
    ...props,
    section: 'drops',
    title: 'Drops',
    children: (
      <Panel
        heading="Latest start first"
        actions={
          <ButtonLink kind="primary" isSmall href={`${path}/new`}>
            New drop
          </ButtonLink>
        }
      >
        <Table
          label="Drops"
          rows={drops.rows.toReversed()}
          rowKey={({ id }) => id}
          columns={[
            {
              heading: 'Drop',
              cell: ({ id, name }) => (
                <a href={`${path}/${id}`}>
                  <bdi>{name}</bdi>
                </a>
              ),
              isRowHeading: true,
            },
            { heading: 'Status', cell: (drop) => <DropPill drop={drop} now={now} /> },
            { heading: 'Starts', cell: ({ startsAt }) => <Time at={startsAt} /> },
            {
              heading: 'Ends',
              cell: ({ endsAt }) =>
                endsAt === null ? <span class="muted">Never</span> : <Time at={endsAt} />,
            },
            { heading: 'Signups', isNumeric: true, cell: (drop) => <Signups drop={drop} /> },
          ]}
          empty={
            isFirst ? (
              <EmptyState
                title="No drops yet"
                text="A drop opens a limited number of places at a set time. People sign up on your site until the places are taken."
                action={{ href: `${path}/new`, label: 'New drop' }}
              />
            ) : (
              <EmptyState title="There are no more drops." />
            )
          }
        />
        <Pager path={path} next={drops.next} isFirst={isFirst} first="latest drops" />
      </Panel>
    ),
  });
}
