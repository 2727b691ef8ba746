import type { CommunityFigures } from '../../../domain/checkout/community-figures.js';
import type { BoundedCount } from '../../../domain/memberships/member-status.js';
import { Count, Money } from '../../ui/parts/money.js';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });

/** Label of the revenue since the start of the month in UTC: "Revenue in November". */
export function revenueLabel(now: number): string {
  return `Revenue in ${MONTH.format(now)}`;
}

/** Number of members: `12,500`, or `20,000+` if there are more than a page counts. */
export function MemberCount({ members }: { members: BoundedCount }) {
  return (
    <>
      <Count value={members.count} />
      {members.hasMore && '+'}
    </>
  );
}

export function Revenue({ figures }: { figures: Pick<CommunityFigures, 'revenue' | 'hasMoreRevenue'> }) {
  if (figures.revenue.length === 0) return <span class="muted">None</span>;
  return (
    <>
      {figures.revenue.map(({ currency, priceMinor }, index) => (
        <span key={currency}>
          {index > 0 && ', '}
          <Money minor={priceMinor} currency={currency} />
          {figures.hasMoreRevenue && '+'}
        </span>
      ))}
    </>
  );
}
