import type { ComponentChildren } from 'preact';
import { endsSoon } from '../../../domain/memberships/member-status.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import { Pill } from '../../ui/parts/pill.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { PersonCell } from '../frame/person-cell.js';

/** Table of memberships: member, plan, status, start and end. */
export function MemberTable(props: {
  /** Name of the table for screen readers. */
  label: string;
  memberships: readonly ListedMembership[];
  heading: string;
  /**
   * Returns the address of a membership's page.
   *
   * @default no link
   */
  hrefOf?: (membership: ListedMembership) => string;
  /** True for a list of members of plans. Products have none. */
  hasPlans: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /** Content without members. */
  empty: ComponentChildren;
}) {
  const { now, hrefOf } = props;
  const columns: Column<ListedMembership>[] = [
    {
      heading: props.heading,
      cell: (membership) => <PersonCell person={membership} href={hrefOf?.(membership)} />,
      isRowHeading: true,
    },
    ...(props.hasPlans ? [PLAN] : []),
    { heading: 'Status', cell: (membership) => <MembershipPill membership={membership} now={now} /> },
    { heading: 'Since', cell: ({ validFrom }) => <Time at={validFrom} precision="date" /> },
    { heading: 'Ends', cell: (membership) => <End membership={membership} /> },
  ];
  return (
    <Table
      label={props.label}
      columns={columns}
      rows={props.memberships}
      rowKey={({ id }) => id}
      empty={props.empty}
    />
  );
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
