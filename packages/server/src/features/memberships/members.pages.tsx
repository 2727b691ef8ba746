import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import type { ListPage } from '../../platform/database/rows.js';
import {
  type CommunityPageProps,
  communityPath,
  creation,
  renderCommunityPage,
} from '../../web/kit/areas/seller-page.js';
import { MemberCount, PersonCell } from '../../web/kit/areas/seller-parts.js';
import {
  type CommunityForm,
  type CommunityRequest,
  doneAt,
  routesOfCommunity,
} from '../../web/kit/areas/seller-request.js';
import { type Page, sendCsv } from '../../web/kit/frame/send-page.js';
import { date, defineForm, text } from '../../web/kit/parts/define-form.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { SubNav } from '../../web/kit/parts/panel.js';
import { type Column, ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { Pill, Time } from '../../web/kit/parts/values.js';
import { emailField } from '../fields/fields.js';
import { listSentInvitations, type SentInvitation } from '../invitations/invitation-list.js';
import { invitationError, OpenInvitations } from '../invitations/invitations.pages.js';
import { inviteMember } from '../invitations/send-invitation.js';
import { exportMemberships } from './export-memberships.js';
import {
  countMembers,
  ENDING_SOON_DAYS,
  endsSoon,
  MEMBER_STATUSES,
  type MemberCounts,
  type MemberStatus,
} from './member-status.js';
import { listMembersByStatus, readMemberPosition } from './members-by-status.js';
import { accessWindowSchema } from './membership-grant.js';
import { type ListedMembership, listMemberships, searchMemberships } from './membership-list.js';
import { membershipState } from './membership-state.js';

/** Form that invites a member. A blank start means acceptance, a blank end lifetime. */
export const NEW_MEMBER = {
  section: 'members',
  title: 'Invite a member',
  submit: 'Invite',
  form: defineForm({
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
  }),
} as const;

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
interface MemberFilter {
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
  const { community, memberships, counts, now, ...filter } = props;
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
              <ButtonLink isSmall href={`${path}.csv`} download label="Download as CSV" />
              <ButtonLink kind="primary" isSmall href={invitation.href} label={invitation.label} />
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
        {isStart && <OpenInvitations {...props} section="members" />}
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
        <ButtonLink
          kind="quiet"
          href={status === undefined ? path : `${path}?status=${status}`}
          label="Clear search"
        />
      )}
    </form>
  );
}

/** Routes of the list of members, and of the form that invites one. */
export function memberRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  const invitation = creation(needs, NEW_MEMBER, {
    read({ form }: CommunityForm, now) {
      const schema = accessWindowSchema
        .safeExtend({ email: emailField })
        .refine(({ validUntil }) => validUntil === null || validUntil > now, {
          path: ['validUntil'],
          error: 'Enter an end in the future.',
        });
      return NEW_MEMBER.form.parse(schema, form, { startsAt: now });
    },
    create: (transaction, { email, ...window }, { actor }, now) =>
      inviteMember(transaction, actor, { email, window, now }),
    answer(result, { path }) {
      switch (result.kind) {
        case 'invited':
        case 'already-submitted':
          return doneAt(`${path}/members`, 'invited');
        case 'granted':
          return doneAt(`${path}/members/${result.membershipId}`, 'granted');
        case 'still-running': {
          const message = 'This user is already a member. Find the membership in the list to change its end.';
          return { field: 'email', message };
        }
        default:
          return invitationError(result);
      }
    },
  });
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/members': { get: list, post: invitation.post },
    '/seller/communities/:communityId/members/new': { get: invitation.get },
    '/seller/communities/:communityId/members.csv': { get: sendMembers },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const now = clock.now();
    const communityId = community.id;
    const status = MEMBER_STATUSES.find((one) => one === query.get('status'));
    const filter = { status, search: (query.get('q') ?? '').trim() };
    return sellerMembersPage({
      ...page,
      ...filter,
      baseUrl,
      now,
      memberships: await readMembers({ communityId, query, now }, filter),
      counts: filter.search === '' ? await countMembers(db, communityId, now) : undefined,
      invitations: await listSentInvitations(db, { communityId, kind: 'membership', now }),
    });
  }

  async function readMembers(
    { communityId, query, now }: { communityId: string; query: URLSearchParams; now: number },
    { status, search }: MemberFilter,
  ) {
    if (search !== '') {
      const rows = await searchMemberships(db, { communityId }, { text: search, status, now });
      return { rows, next: undefined, isFirst: true };
    }
    if (status === undefined) {
      return await shownList(query, (after) => listMemberships(db, { communityId }, after));
    }
    const after = readMemberPosition(query.get('after'));
    const found = await listMembersByStatus(db, { communityId, status, now }, after);
    return { ...found, isFirst: after === undefined };
  }

  async function sendMembers({ community, response }: CommunityRequest) {
    const lines = exportMemberships(db, { communityId: community.id }, { now: clock.now() });
    await sendCsv(response, `members-${community.id}`, lines);
  }
}

/**
 * Returns the columns of a list of memberships: the person, status, start and end.
 *
 * @param options.membersPath Path that the pages of the members start with. Buyers of a product have no pages and no plans.
 */
export function memberColumns(options: {
  heading: string;
  now: number;
  membersPath?: string;
}): Column<ListedMembership>[] {
  const { heading, now, membersPath } = options;
  return [
    {
      heading,
      cell: (membership) => (
        <PersonCell
          person={membership}
          href={membersPath === undefined ? undefined : `${membersPath}/${membership.id}`}
        />
      ),
      isRowHeading: true,
    },
    ...(membersPath === undefined ? [] : [PLAN]),
    { heading: 'Status', cell: (membership) => <MembershipPill membership={membership} now={now} /> },
    { heading: 'Since', cell: ({ validFrom }) => <Time at={validFrom} precision="date" /> },
    { heading: 'Ends', cell: (membership) => <End membership={membership} /> },
  ];
}

const PLAN: Column<ListedMembership> = {
  heading: 'Plan',
  cell: ({ planName }) => (planName === null ? <span class="muted">None</span> : <bdi>{planName}</bdi>),
};

function End({ membership: { validUntil, isRenewing } }: { membership: ListedMembership }) {
  if (validUntil === null) return <span class="muted">Never</span>;
  return (
    <>
      {isRenewing && 'Renews '}
      <Time at={validUntil} precision="date" />
    </>
  );
}

export function MembershipPill({ membership, now }: { membership: ListedMembership; now: number }) {
  switch (membershipState(membership, now)) {
    case 'expired':
      return <Pill tone="neutral">Ended</Pill>;
    case 'upcoming':
      return <Pill tone="neutral">Upcoming</Pill>;
    case 'active':
      return endsSoon(membership, now) ? <Pill tone="warn">Ends soon</Pill> : <Pill tone="good">Active</Pill>;
  }
}
