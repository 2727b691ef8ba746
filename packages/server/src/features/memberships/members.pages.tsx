import type { Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  creation,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { MemberCount, PersonCell } from '../../web/kit/areas/seller-parts.js';
import { type Page, sendCsv } from '../../web/kit/frame/send-page.js';
import { defineForm } from '../../web/kit/parts/define-form.js';
import { TextField } from '../../web/kit/parts/form-field.js';
import { Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { SubNav } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import { type Column, ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { Pill, TextOrNone, Time } from '../../web/kit/parts/values.js';
import { emailField } from '../fields/fields.js';
import { listSentInvitations, type SentInvitation } from '../invitations/invitation.queries.js';
import { memberInvitation } from '../invitations/invitation.resource.js';
import { invitationError, OpenInvitations } from '../invitations/invitations.pages.js';
import { inviteMember } from '../invitations/send-invitation.js';
import {
  countMembers,
  ENDING_SOON_DAYS,
  endsSoon,
  MEMBER_STATUSES,
  type MemberCounts,
  type MemberStatus,
} from './member-status.js';
import { accessWindowSchema } from './membership.resource.js';
import {
  exportMemberships,
  type ListedMembership,
  listMembersByStatus,
  listMemberships,
  readMemberPosition,
  searchMemberships,
} from './membership-list.js';
import { membershipState } from './membership-state.js';

export const NEW_MEMBER = {
  section: 'members',
  title: phrase('Invite a member'),
  submit: phrase('Invite'),
  form: defineForm(controlsOf(memberInvitation)),
} as const;

/** Words of the list for each status. */
const FILTERS = [
  {
    status: undefined,
    label: phrase('All'),
    title: phrase('No members yet'),
    text: phrase('People become members when they buy a plan, or accept your invitation.'),
    first: phrase('newest'),
  },
  {
    status: 'active',
    label: phrase('Active'),
    title: phrase('No active members'),
    text: phrase('Nobody has access to this community at the moment.'),
    first: phrase('first page'),
  },
  {
    status: 'ending',
    label: phrase('Ending soon'),
    title: phrase('No membership ends soon'),
    text: phrase('Memberships that end within {count} days and do not renew appear here.'),
    first: phrase('next to end'),
  },
  {
    status: 'ended',
    label: phrase('Ended'),
    title: phrase('No ended memberships'),
    text: phrase('Memberships appear here after their end.'),
    first: phrase('last ended'),
  },
] as const;

interface MemberFilter {
  status: MemberStatus | undefined;
  search: string;
}

export function sellerMembersPage(
  props: CommunityPageProps &
    MemberFilter & {
      baseUrl: string;
      invitations: ShownList<SentInvitation>;
      memberships: ShownList<ListedMembership>;
      counts: MemberCounts | undefined;
      now: number;
    },
): Page {
  const { community, memberships, counts, now, ...filter } = props;
  const { status, search } = props;
  const path = `${communityPath(community.id)}/members`;
  const invitation = { href: `${path}/new`, label: t('Invite a member') };
  const words = FILTERS.find((filter) => filter.status === status) ?? FILTERS[0];
  const isStart = search === '' && status === undefined && memberships.isFirst;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: t(search === '' ? 'Members' : 'Search for a member'),
    heading: t('Members'),
    children: (
      <>
        <ListPanel
          heading={t('All memberships')}
          actions={
            <>
              <ButtonLink isSmall href={`${path}.csv`} download label={t('Download as CSV')} />
              <ButtonLink kind="primary" isSmall href={invitation.href} label={invitation.label} />
            </>
          }
          label={t(search === '' ? 'Members' : 'Search results')}
          list={memberships}
          columns={memberColumns({ heading: phrase('Member'), now, membersPath: path })}
          empty={
            search === ''
              ? {
                  title: t(words.title),
                  text: t(words.text, { count: ENDING_SOON_DAYS }),
                  ...(status === undefined && { action: invitation }),
                }
              : {
                  title: t('No member found'),
                  text: t(
                    status === undefined
                      ? 'No member matches this e-mail address or messenger ID.'
                      : 'No member with this status matches this e-mail address or messenger ID.',
                  ),
                }
          }
          noMore={t('There are no more members.')}
          path={path}
          query={status === undefined ? {} : { status }}
          first={words.first}
        >
          <StatusNav {...filter} path={path} counts={counts} />
          <Search {...filter} path={path} />
        </ListPanel>
        {isStart && <OpenInvitations {...props} section="members" />}
      </>
    ),
  });
}

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
      label={t('Members by status')}
      current={hrefOf(props.status)}
      items={FILTERS.map(({ status, label }) => ({
        href: hrefOf(status),
        label: (
          <>
            {t(label)}
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
        label={t('Search members')}
        hint={t('Enter a complete e-mail address or a messenger ID.')}
        value={search}
        maxLength={254}
        spellcheck={false}
      />
      <Button>{t('Search')}</Button>
      {search !== '' && (
        <ButtonLink
          kind="quiet"
          href={status === undefined ? path : `${path}?status=${status}`}
          label={t('Clear search')}
        />
      )}
    </form>
  );
}

export function memberRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  const invitation = creation(needs, NEW_MEMBER, {
    read: ({ form }: CommunityForm, now) =>
      NEW_MEMBER.form.parse(accessWindowSchema.safeExtend({ email: emailField }), form, { validFrom: now }),
    create: (transaction, { email, ...window }, { actor }, now) =>
      inviteMember(transaction, actor, { email, window, now }),
    answer(result, { path }) {
      switch (result.kind) {
        case 'invited':
        case 'already-submitted':
          return doneAt(`${path}/members`, 'invited');
        case 'granted':
          return doneAt(`${path}/members/${result.membershipId}`, 'granted');
        case 'past':
          return { field: 'validUntil', message: t('Enter an end in the future.') };
        case 'still-running': {
          const message = t(
            'This user is already a member. Find the membership in the list to change its end.',
          );
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
      invitations: await shownList(
        query,
        (after) => listSentInvitations(db, { communityId, kind: 'membership', now }, after),
        'invitations',
      ),
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

/** Without the path of the members' pages, the columns of a product's buyers, who have no pages and no plans. */
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
    },
    ...(membersPath === undefined ? [] : [PLAN]),
    { heading: phrase('Status'), cell: (membership) => <MembershipPill membership={membership} now={now} /> },
    { heading: phrase('Since'), cell: ({ validFrom }) => <Time at={validFrom} precision="date" /> },
    { heading: phrase('Ends'), cell: endOf },
  ];
}

const PLAN: Column<ListedMembership> = {
  heading: phrase('Plan'),
  cell: ({ planName }) => <TextOrNone text={planName} />,
};

function endOf({ validUntil, isRenewing }: ListedMembership): ComponentChildren {
  if (validUntil === null) return <span class="muted">{t('Never')}</span>;
  const date = <Time at={validUntil} precision="date" />;
  return isRenewing ? t('Renews {date}', { date }) : date;
}

export function MembershipPill({ membership, now }: { membership: ListedMembership; now: number }) {
  switch (membershipState(membership, now)) {
    case 'expired':
      return <Pill tone="neutral">{t('Ended')}</Pill>;
    case 'upcoming':
      return <Pill tone="neutral">{t('Upcoming')}</Pill>;
    case 'active':
      return endsSoon(membership, now) ? (
        <Pill tone="warn">{t('Ends soon')}</Pill>
      ) : (
        <Pill tone="good">{t('Active')}</Pill>
      );
  }
}
