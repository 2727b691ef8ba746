import { endsSoon } from '../../../domain/memberships/member-status.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import type { Column } from '../../ui/parts/table.js';
import { Pill, Time } from '../../ui/parts/values.js';
import { PersonCell } from '../frame/seller-parts.js';

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
