import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import {
  ENDING_SOON_DAYS,
  type MemberCounts,
  type MemberStatus,
} from '../../../domain/memberships/member-status.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/rows.js';
import type { Page } from '../../ui/frame/send-page.js';
import { date, defineForm, type FormValues, text } from '../../ui/parts/define-form.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Button, ButtonLink } from '../../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../../ui/parts/list-panel.js';
import { Panel, SubNav } from '../../ui/parts/panel.js';
import {
  type CommunityPageProps,
  communityPath,
  type NewProps,
  renderCommunityPage,
  renderNewPage,
} from '../frame/seller-page.js';
import { MemberCount } from '../frame/seller-parts.js';
import { InvitationHint, InvitationTable } from '../invitations/invitation-list.js';
import { memberColumns } from './member-columns.js';

/** Form that invites a member. A blank start means acceptance, a blank end lifetime. */
export const NEW_MEMBER = defineForm({
  email: text({
    label: 'E-mail address',
    hint: "The membership counts once the holder of this address accepts it. They see the community's name and your e-mail address.",
    type: 'email',
    maxLength: 254,
    required: true,
  }),
  startsAt: date({ label: 'Starts', hint: 'Leave blank to start on acceptance.', path: 'validFrom' }),
  endsAt: date({
    label: 'Ends',
    hint: 'Leave blank for lifetime. Without a time, it ends as the day begins.',
    path: 'validUntil',
  }),
});

/** Renders the form that invites a member: `POST …/members`. */
export function newMemberPage(props: CommunityPageProps & NewProps<FormValues<typeof NEW_MEMBER>>): Page {
  return renderNewPage({
    ...props,
    section: 'members',
    title: 'Invite a member',
    submit: 'Invite',
    fields: NEW_MEMBER.fields(props),
  });
}

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

/** Members that the list shows. */
export interface MemberFilter {
  /** Undefined for all. */
  status: MemberStatus | undefined;
  /** Empty without a search. */
  search: string;
}

/**
 * Renders the members of a community, newest first. `GET …/members` with `status` lists the members with that status, and
 * with `q` searches for an email address or messenger id.
 */
export function sellerMembersPage(
  props: CommunityPageProps &
    MemberFilter & {
      baseUrl: string;
      invitations: ListPage<SentInvitation>;
      memberships: ShownList<ListedMembership>;
      /** Undefined during a search. */
      counts: MemberCounts | undefined;
      now: number;
    },
): Page {
  const { frame, community, baseUrl, invitations, memberships, counts, now, ...filter } = props;
  const { status, search } = props;
  const path = `${communityPath(community.id)}/members`;
  const invitation = { href: `${path}/new`, label: 'Invite a member' };
  const found = status === undefined ? 'No member' : 'No member with this status';
  const isStart = search === '' && status === undefined && memberships.isFirst;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: search === '' ? 'Members' : 'Search for a member',
    heading: 'Members',
    children: (
      <>
        <ListPanel
          heading="All memberships"
          actions={
            <>
              <ButtonLink isSmall href={`${path}.csv`} download>
                Download as CSV
              </ButtonLink>
              <ButtonLink kind="primary" isSmall href={invitation.href}>
                {invitation.label}
              </ButtonLink>
            </>
          }
          label={search === '' ? 'Members' : 'Search results'}
          list={memberships}
          columns={memberColumns({ heading: 'Member', now, membersPath: path })}
          empty={
            search === ''
              ? { ...EMPTY_WORDING[status ?? 'all'], ...(status === undefined && { action: invitation }) }
              : {
                  title: 'No member found',
                  text: `${found} matches this e-mail address or messenger ID.`,
                }
          }
          noMore="There are no more members."
          path={path}
          query={status === undefined ? {} : { status }}
          first={FIRST_PAGE_WORDING[status ?? 'all']}
        >
          <StatusNav {...filter} path={path} counts={counts} />
          <Search {...filter} path={path} />
        </ListPanel>
        {isStart && invitations.rows.length > 0 && (
          <Panel heading="Open invitations" id="invited">
            <InvitationHint baseUrl={baseUrl} />
            <InvitationTable
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
        )}
      </>
    ),
  });
}

/** Links that filter the members by status, with the number of members. A search stays. */
function StatusNav(props: MemberFilter & { path: string; counts: MemberCounts | undefined }) {
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

function Search({ path, status, search }: MemberFilter & { path: string }) {
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
