import { Count, Money } from '../ui/parts/money.js';

/** Price and period of a plan or product. */
export interface OfferedTerms {
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Days of access for one payment. Null for lifetime access. */
  periodDays: number | null;
  /** True if each period is paid automatically until the buyer cancels. */
  renews: boolean;
}

type Price = Pick<OfferedTerms, 'amountMinor' | 'currency'>;

/** Price in the visitor's locale, or "Free". */
export function PriceText({ amountMinor, currency }: Price) {
  return amountMinor === 0 ? <>Free</> : <Money minor={amountMinor} currency={currency} />;
}

/** Price beside which a plan's card shows its rhythm: "every 30 days", "for 30 days", "once". */
export function RhythmText({ periodDays, renews }: Pick<OfferedTerms, 'periodDays' | 'renews'>) {
  if (periodDays === null) return <>once</>;
  return (
    <>
      {renews ? 'every ' : 'for '}
      <Days count={periodDays} isBare={renews} />
    </>
  );
}

/** End of the period: "€9.00 every 30 days until you cancel". */
export function RenewalText(terms: OfferedTerms) {
  if (terms.periodDays === null) return <>One payment, no renewal</>;
  if (!terms.renews) return <>Ends automatically, no renewal</>;
  return (
    <>
      <PriceText {...terms} /> <RhythmText {...terms} /> until you cancel
    </>
  );
}

/** Number of days: "30 days", "1 day". */
export function Days({ count, isBare = false }: { count: number; isBare?: boolean }) {
  if (count === 1) return isBare ? <>day</> : <>1 day</>;
  return (
    <>
      <Count value={count} /> days
    </>
  );
}
