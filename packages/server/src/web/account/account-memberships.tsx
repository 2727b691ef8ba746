import { ButtonLink } from '../ui/parts/button.js';
import { type Column, Table } from '../ui/parts/table.js';
import { Time } from '../ui/parts/time.js';

/** Membership in the lists of the account page. Times are milliseconds since the epoch. */
export interface AccountMembership {
  id: string;
  name: string;
  /** `community`, `digital_product`, `clipping_campaign` or `agency`. */
  productType: string;
  /** Null without a plan. */
  planName: string | null;
  validFrom: number;
  /** Null for a lifetime membership. */
  validUntil: number | null;
  /** True if a subscription renews it. */
  isRenewing: boolean;
}

type MembershipState = 'active' | 'upcoming' | 'expired';

/** Table of memberships in one state, with their plans, their ends and what the user can do. */
export function Memberships(props: {
  label: string;
  memberships: readonly AccountMembership[];
  state: MembershipState;
}) {
  const { label, memberships, state } = props;
  const columns: readonly Column<AccountMembership>[] = [
    {
      heading: 'Membership',
      isRowHeading: true,
      cell: ({ name, productType }) => (
        <>
          <bdi>{name}</bdi>
          <p class="muted">{productTypeInWords(productType)}</p>
        </>
      ),
    },
    ...(memberships.some(({ planName }) => planName !== null) ? [PLAN] : []),
    {
      heading: state === 'upcoming' ? 'Starts' : 'Since',
      cell: ({ validFrom }) => <Time at={validFrom} precision="date" />,
    },
    {
      heading: state === 'expired' ? 'Ended' : 'Renewal or end',
      cell: (membership) => <End membership={membership} state={state} />,
    },
    ...(state === 'expired' ? [] : [ACTIONS]),
  ];
  return <Table label={label} columns={columns} rows={memberships} rowKey={({ id }) => id} />;
}

const PLAN: Column<AccountMembership> = {
  heading: 'Plan',
  cell: ({ planName }) => (planName === null ? <span class="muted">No plan</span> : <bdi>{planName}</bdi>),
};

const ACTIONS: Column<AccountMembership> = {
  heading: 'Actions',
  isHeadingHidden: true,
  isNumeric: true,
  cell: ({ id, name, isRenewing }) => (
    <span class="cell-actions">
      {isRenewing && (
        <ButtonLink isSmall href={`/account/memberships/${id}/cancel`}>
          Cancel<span class="visually-hidden"> the subscription of {name}</span>
        </ButtonLink>
      )}
      <ButtonLink kind="danger" isSmall href={`/account/memberships/${id}/leave`}>
        Leave<span class="visually-hidden"> {name}</span>
      </ButtonLink>
    </span>
  ),
};

function End({ membership, state }: { membership: AccountMembership; state: MembershipState }) {
  const { validUntil, isRenewing } = membership;
  if (validUntil === null) return <>Lifetime</>;
  const end = <Time at={validUntil} precision="date" />;
  if (state === 'expired') return end;
  return (
    <span>
      {isRenewing ? 'Renews on' : 'Ends on'} {end}
    </span>
  );
}

function productTypeInWords(productType: string): string {
  const words = productType.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
