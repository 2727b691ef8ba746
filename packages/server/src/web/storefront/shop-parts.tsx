import type { OfferTerms } from '../../domain/checkout/offer.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { Count, Money } from '../ui/parts/values.js';

/** Price and period of a plan or product. */
export type OfferedTerms = Omit<OfferTerms, 'subject'>;

/** Price in the visitor's locale, or "Free". */
export function PriceText({ amountMinor, currency }: Pick<OfferTerms, 'amountMinor' | 'currency'>) {
  return amountMinor === 0 ? <>Free</> : <Money minor={amountMinor} currency={currency} />;
}

/** Price beside which a plan's card shows its rhythm: "every 30 days", "for 30 days", "once". */
export function RhythmText({ periodDays, renews }: Pick<OfferTerms, 'periodDays' | 'renews'>) {
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

/** Benefits of a plan, one line each. The seller wrote them. Renders nothing for an empty list. */
export function BenefitList({ benefits }: { benefits: readonly string[] }) {
  if (benefits.length === 0) return null;
  return (
    <ul class="benefits">
      {benefits.map((benefit, index) => (
        // Two benefits can have the same text.
        <li key={index}>
          <CheckIcon />
          <bdi>{benefit}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Link from a public page to the account, or to sign-in. */
export function VisitorNav(props: { isSignedIn: boolean; signInHref: string }) {
  return (
    <nav class="site-nav" aria-label="Account">
      {props.isSignedIn ? <a href="/account">Your account</a> : <a href={props.signInHref}>Sign in</a>}
    </nav>
  );
}
