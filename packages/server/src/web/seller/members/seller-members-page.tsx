import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import {
  ENDING_SOON_DAYS,
  type MemberCounts,
  type MemberStatus,
} from '../../../domain/memberships/member-status.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { SubNav } from '../../ui/parts/sub-nav.js';
import { MemberCount } from '../frame/figures.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { InvitationHint, InvitationTable } from '../invitations/invitation-table.js';
import { MemberTable } from './member-table.js';

/** Status of the filter, in the order of its links. */
const FILTERS = [
  { status: undefined, label: 'All' },
  { status: 'active', label: 'Active' },
  { status: 'ending', label: 'Ending soon' },
  { status: 'ended', label: 'Ended' },
] as const;

/** Texts of a list without members. */
const EMPTY_WORDING: Readonly<Record<MemberStatus | 'all', { title: string; text: string }>> = {
  all: {
    title: 'No members yet',
    text: 'People become members when they buy a plan, or accept your invitation.',
  },
  active: { title: 'No active members', text: 'Nobody has access to this community at the moment.' },
  ending: {
    title: 'No membership ends soon',
    text: `Memberships that end within ${ENDING_SOON_DAYS} days and do not renew appear here.`,
  },
  ended: { title: 'No ended memberships', text: 'Memberships appear here after their end.' },
};

/** Names of the first pages, for the link back to them. */
const FIRST_PAGE_WORDING: Readonly<Record<MemberStatus | 'all', string>> = {
  all: 'newest',
  active: 'first page',
  ending: 'next to end',
  ended: 'last ended',
};

/** Links that filter the members by status, with the number of members. A search stays. */
function MemberFilter(props: {
  path: string;
  status: MemberStatus | undefined;
  /** Empty without a search. */
  search: string;
  counts: MemberCounts | undefined;
}) {
  const { path, search, counts } = props;
  const hrefOf = (status: MemberStatus | undefined) => {
    const query = new URLSearchParams({
      ...(status !== undefined && { status }),
      ...(search !== '' && { q: search }),
    });
    return query.size === 0 ? path : `${path}?${query}`;
  };
  return (
    <SubNav
      label="Members by status"
      current={hrefOf(props.status)}
      items={FILTERS.map(({ status, label }) => ({
        href: hrefOf(status),
        label: (
          <>
            {label}
            {counts !== undefined && (
              <span class="sub-nav-count">
                <MemberCount members={counts[status ?? 'all']} />
              </span>
            )}
          </>
        ),
      }))}
    />
  );
}

export interface SellerMembersPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  invitations: ListPage<SentInvitation>;
  memberships: ListPage<ListedMembership>;
  /** Undefined during a search. */
  counts: MemberCounts | undefined;
  isFirst: boolean;
  /** Status of the listed members; undefined for all. */
  status: MemberStatus | undefined;
  /** Search text; empty without a search. */
  search: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Renders the members of a community, newest first. `GET …/members` with `status` lists the members with that status, and
 * with `q` searches for an email address or messenger id.
 */
export function sellerMembersPage(props: SellerMembersPageProps): Page {
  const { community, status, search, isFirst } = props;
  const path = `${communityPath(community.id)}/members`;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: search === '' ? 'Members' : 'Search for a member',
    heading: 'Members',
    children: (
      <>
        <Panel
          heading="All memberships"
          actions={
            <>
              <ButtonLink isSmall href={`${path}.csv`} download>
                Download as CSV
              </ButtonLink>
              <ButtonLink kind="primary" isSmall href={`${path}/new`}>
                Invite a member
              </ButtonLink>
            </>
          }
        >
          <MemberFilter path={path} status={status} search={search} counts={props.counts} />
          <Search path={path} status={status} search={search} />
          <MemberTable
            label={search === '' ? 'Members' : 'Search results'}
            heading="Member"
            memberships={props.memberships.rows}
            hrefOf={({ id }) => `${path}/${id}`}
            hasPlans
            now={props.now}
            empty={<Empty {...props} path={path} />}
          />
          <Pager
            path={path}
            query={status === undefined ? {} : { status }}
            next={props.memberships.next}
            isFirst={isFirst}
            first={FIRST_PAGE_WORDING[status ?? 'all']}
          />
        </Panel>
        {search === '' && status === undefined && isFirst && <Invited {...props} />}
      </>
    ),
  });
}

function Search({
  path,
  status,
  search,
}: { path: string } & Pick<SellerMembersPageProps, 'status' | 'search'>) {
  return (
    <form class="search-form" method="get" action={path}>
      {status !== undefined && <input type="hidden" name="status" value={status} />}
      <TextField
        name="q"
        label="Search members"
        hint="Enter a complete e-mail address or a messenger ID."
        value={search}
        maxLength={254}
        spellcheck={false}
      />
      <Button>Search</Button>
      {search !== '' && (
        <ButtonLink kind="quiet" href={status === undefined ? path : `${path}?status=${status}`}>
          Clear search
        </ButtonLink>
      )}
    </form>
  );
}

function Empty({ search, status, isFirst, path }: SellerMembersPageProps & { path: string }) {
  if (search !== '') {
    return (
      <EmptyState
        title="No member found"
        text={
          status === undefined
            ? 'No member matches this e-mail address or messenger ID.'
            : 'No member with this status matches this e-mail address or messenger ID.'
        }
      />
    );
  }
  if (!isFirst) return <EmptyState title="There are no more members." />;
  return (
    <EmptyState
      {...EMPTY_WORDING[status ?? 'all']}
      {...(status === undefined && { action: { href: `${path}/new`, label: 'Invite a member' } })}
    />
  );
}

function Invited({ community, invitations, frame, baseUrl }: SellerMembersPageProps) {
  if (invitations.rows.length === 0) return null;
  return (
    <Panel heading="Open invitations" id="invited">
      <InvitationHint baseUrl={baseUrl} />
      <InvitationTable
        label="Invitations"
        invitations={invitations.rows}
        community={community}
        frame={frame}
        section="members"
      />
      {invitations.next !== undefined && (
        <div class="panel-actions">
          <ButtonLink isSmall href={`${communityPath(community.id)}/invitations`}>
            Show all invitations
          </ButtonLink>
        </div>
      )}
    </Panel>
  );
}
