import { useContext } from 'preact/hooks';
import { t } from '../../platform/language/language.js';
import { CheckIcon } from '../../web/kit/parts/icons.js';
import { Count, Money, ServiceContext } from '../../web/kit/parts/values.js';
import { imitates } from '../brand/imitation.js';
import type { OfferTerms } from '../checkout/checkout.js';

export type OfferedTerms = Omit<OfferTerms, 'subject'>;

export function PriceText({ amountMinor, currency }: Pick<OfferTerms, 'amountMinor' | 'currency'>) {
  return amountMinor === 0 ? t('Free') : <Money minor={amountMinor} currency={currency} />;
}

/** How often a plan's price is paid, next to the price on its card: "every 30 days", "for 30 days", "once". */
export function RhythmText({ periodDays, renews }: Pick<OfferTerms, 'periodDays' | 'renews'>) {
  if (periodDays === null) return <>{t('once')}</>;
  const values = { count: periodDays, days: <Count value={periodDays} /> };
  return <>{renews ? t('every {days} days', values) : t('for {days} days', values)}</>;
}

/** Price with the period and how it ends: "€9.00 every 30 days until you cancel". */
export function RenewalText(terms: OfferedTerms) {
  if (terms.periodDays === null) return <>{t('One payment, no renewal')}</>;
  if (!terms.renews) return <>{t('Ends automatically, no renewal')}</>;
  const values = {
    count: terms.periodDays,
    days: <Count value={terms.periodDays} />,
    price: <PriceText {...terms} />,
  };
  return <>{t('{price} every {days} days until you cancel', values)}</>;
}

export function Days({ count }: { count: number }) {
  return <>{t('{days} days', { count, days: <Count value={count} /> })}</>;
}

export function BenefitList({ benefits }: { benefits: readonly string[] }) {
  if (benefits.length === 0) return null;
  return (
    <ul class="benefits">
      {benefits.map((benefit, index) => (
        // Two benefits can be the same string.
        <li key={index}>
          <CheckIcon />
          <bdi>{benefit}</bdi>
        </li>
      ))}
    </ul>
  );
}

export function VisitorNav(props: { isSignedIn: boolean; signInHref: string }) {
  return (
    <nav class="site-nav" aria-label={t('Account')}>
      {props.isSignedIn ? (
        <a href="/account">{t('Your account')}</a>
      ) : (
        <a href={props.signInHref}>{t('Sign in')}</a>
      )}
    </nav>
  );
}

/**
 * Says who sells: never the service, unless the operator gave the seller the service's name. Otherwise visitors could
 * mistake what a stranger sells on the service's pages for the service's own product.
 */
export function SoldBy({ seller }: { seller: string | null }) {
  const { serviceName = '' } = useContext(ServiceContext);
  const service = <bdi>{serviceName}</bdi>;
  if (seller === null)
    return <p class="fine">{t('Sold by a seller without a name, not by {service}.', { service })}</p>;
  const names = { seller: <bdi>{seller}</bdi>, service };
  return (
    <p class="fine">
      {imitates(seller, serviceName)
        ? t('Sold by {seller}.', names)
        : t('Sold by {seller}, not by {service}.', names)}
    </p>
  );
}
