import type { MemberCounts } from '../../../domain/memberships/member-counts.js';
import { ENDING_SOON_DAYS, type MemberStatus } from '../../../domain/memberships/member-status.js';
import { SubNav } from '../../ui/parts/sub-nav.js';
import { MemberCount } from '../frame/figures.js';

/** Status of the filter, in the order of its links. */
const FILTERS = [
  { status: undefined, label: 'All' },
  { status: 'active', label: 'Active' },
  { status: 'ending', label: 'Ending soon' },
  { status: 'ended', label: 'Ended' },
] as const;

/** Texts of a list without members. */
export const EMPTY_WORDING: Readonly<Record<MemberStatus | 'all', { title: string; text: string }>> = {
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
export const FIRST_PAGE_WORDING: Readonly<Record<MemberStatus | 'all', string>> = {
  all: 'newest',
  active: 'first page',
  ending: 'next to end',
  ended: 'last ended',
};

/** Links that filter the members by status, with the number of members. A search stays. */
export function MemberFilter(props: {
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
