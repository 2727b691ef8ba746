import type { ComponentChildren } from 'preact';
import { t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { messagePage } from '../../web/kit/frame/message-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ButtonLink } from '../../web/kit/parts/form-parts.js';
import { CheckIcon } from '../../web/kit/parts/icons.js';
import { Money, Time } from '../../web/kit/parts/values.js';
import { maskEmail, type Receipt } from '../checkout/buyer-access.js';
import type { Checkout, OpenCheckout } from '../checkout/checkout.js';
import { formatPrice } from '../plans/price.js';
import { Days, PriceText, RhythmText, SoldBy } from './shop-parts.pages.js';

/** `access` is undefined unless the visitor is the signed-in buyer: it reveals what the buyer had. */
type ShownReceipt = Omit<Receipt, 'access'> & { readonly access: Receipt['access'] | undefined };

interface PaidPageProps {
  checkout: Pick<Checkout, 'offer' | 'successUrl'>;
  /** True if the buyer returns to a page of the service. The link then shows the seller or the product, not the host. */
  isOwnPage: boolean;
  accent: string | null;
}

/**
 * Renders the page after the payment, which loads `successUrl`. Anyone can send a link to a finished checkout, so only
 * the browser that paid leaves the service without a click (`goesOn`). A redirect would not work: Chromium applies the
 * form's `form-action` policy to the whole redirect chain, and the shop's redirects are unknown.
 */
export function checkoutPaidPage(
  props: PaidPageProps & { goesOn: boolean; receipt: ShownReceipt | undefined },
): Page {
  const { receipt, goesOn } = props;
  const { offer, successUrl } = props.checkout;
  const name = offer?.name ?? t('your purchase');
  const isPlan = offer?.subject.kind === 'plan';
  const isRefunded =
    receipt !== undefined && receipt.refundedMinor > 0 && receipt.refundedMinor >= receipt.amountMinor;
  return renderDocument({
    title: t('Paid: {name}', { name }),
    layout: 'card',
    accent: props.accent,
    ...(goesOn && { goesOnTo: successUrl }),
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>{t(isRefunded ? 'Payment refunded' : 'Payment complete')}</h1>
        <p class="lead">
          {receipt === undefined
            ? t('This checkout is complete: {name}.', { name: <bdi>{name}</bdi> })
            : isRefunded
              ? t('The whole payment was refunded.')
              : isPlan
                ? t('You’re a member.')
                : t('{name} is yours.', { name: <bdi>{name}</bdi> })}
        </p>
        {receipt !== undefined && (
          <dl class="bill receipt">
            <Fact label={t(isPlan ? 'Plan' : 'Product')}>
              <bdi>{name}</bdi>
            </Fact>
            <Fact label={t('Paid')}>
              <PriceText amountMinor={receipt.amountMinor} currency={receipt.currency} />
            </Fact>
            {receipt.refundedMinor > 0 && (
              <Fact label={t('Refunded')}>
                <PriceText amountMinor={receipt.refundedMinor} currency={receipt.currency} />
              </Fact>
            )}
            <AccessFact access={receipt.access} offer={offer} />
          </dl>
        )}
        {receipt !== undefined && offer !== undefined && <SoldBy seller={offer.seller} />}
        {receipt !== undefined && receipt.mailedTo !== null && (
          <p class="fine">
            {t('We’ve mailed a receipt to {email}.', { email: <bdi>{maskEmail(receipt.mailedTo)}</bdi> })}
          </p>
        )}
        <ButtonLink kind="primary" href={successUrl}>
          <Continue {...props} />
        </ButtonLink>
        {goesOn && <p class="fine">{t('Taking you back…')}</p>}
      </main>
    ),
  });
}

/** Label of the link to `successUrl`. It's one element, or the button would lay out its children next to each other. */
function Continue({ checkout: { offer, successUrl }, isOwnPage }: PaidPageProps) {
  const owner = offer?.subject.kind === 'plan' ? offer.seller : null;
  return (
    <span>
      {t('Continue to {where}', {
        where: (
          <bdi>{isOwnPage ? (owner ?? offer?.name ?? t('your purchase')) : new URL(successUrl).host}</bdi>
        ),
      })}
    </span>
  );
}

function AccessFact({ access, offer }: Pick<ShownReceipt, 'access'> & Pick<Checkout, 'offer'>) {
  if (access === null) return null;
  if (access === undefined && offer?.renews)
    return (
      <Fact label={t('Renews')}>
        <RhythmText {...offer} />
      </Fact>
    );
  if (access === undefined)
    return (
      <Fact label={t('Access')}>
        {offer?.periodDays == null ? t('Lifetime') : <Days count={offer.periodDays} />}
      </Fact>
    );
  if (access.nextPayment !== null) {
    return (
      <Fact label={t('Next payment')}>
        {t('{price} on {date}', {
          price: <Money minor={access.nextPayment.amountMinor} currency={access.nextPayment.currency} />,
          date: <Time at={access.nextPayment.at} precision="date" />,
        })}
      </Fact>
    );
  }
  return (
    <Fact label={t('Access')}>
      {access.endsAt === null
        ? t('Lifetime')
        : t('until {date}', { date: <Time at={access.endsAt} precision="date" /> })}
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** For a buyer who tried again after an error. Mentions no other order: the visitor may be another person. */
export function alreadyPaidPage(props: PaidPageProps & { checkout: OpenCheckout }): Page {
  const { successUrl } = props.checkout;
  return messagePage({
    title: t('Already paid'),
    text: t(
      'An earlier payment was received after all, and gives access now. Nothing was charged this time.',
    ),
    action: { href: new URL(successUrl).href, label: <Continue {...props} /> },
    isDone: true,
    accent: props.accent,
  });
}

/** A redirect would not work: Chromium applies `form-action` to it, and to the redirects of the provider's page. */
export function toProviderPage({ url, accent }: { url: string; accent: string | null }): Page {
  return renderDocument({
    title: t('To the payment page'),
    layout: 'card',
    accent,
    goesOnTo: url,
    children: (
      <main class="card message">
        <h1>{t('To the payment page')}</h1>
        <p class="lead">{t('You pay on the page of our payment provider, and come back here afterwards.')}</p>
        <ButtonLink kind="primary" href={url}>
          <span>{t('Go on to {host}', { host: <bdi>{new URL(url).host}</bdi> })}</span>
        </ButtonLink>
      </main>
    ),
  });
}

/** Seconds to wait before each reload of the waiting page. A webhook usually takes one or two seconds. */
const LOOKS = [2, 3, 3, 5, 5, 10, 15, 30];

/** Reloads itself until the provider's webhook has arrived. `look` is the number of earlier reloads. */
export function awaitingPage({
  url,
  look,
  accent,
}: {
  url: string;
  look: number;
  accent: string | null;
}): Page {
  return renderDocument({
    title: t('Waiting for the confirmation'),
    layout: 'card',
    accent,
    goesOnTo: `${url}?returned=${look + 1}`,
    goesOnAfter: LOOKS[look] ?? 60,
    children: (
      <main class="card message">
        <h1>{t('Waiting for the confirmation')}</h1>
        <p class="lead" role="status">
          {t('The payment provider has not confirmed your payment yet. This page looks again by itself.')}
        </p>
        <p class="fine">
          {t(
            'You need not wait: once the payment is confirmed, you have access, and we mail you the receipt. An order is never charged twice.',
          )}
        </p>
        <ButtonLink href={url} label={t('Back to the order')} />
      </main>
    ),
  });
}

/** Renders the page for a buyer who has paid but got nothing for it. Only the seller can refund the payment. */
export function noAccessPage({ offer, cancelUrl }: OpenCheckout, accent: string | null): Page {
  const shop = new URL(cancelUrl);
  const price = formatPrice(offer.amountMinor, offer.currency);
  return messagePage({
    title: t('This payment gave no access'),
    text: t(
      'Your payment of {price} for “{name}” succeeded, but gave no access: this checkout was paid with another order at the same time. The whole payment goes back to you. You don’t need to do anything.',
      { price, name: offer.name },
    ),
    action: { href: shop.href, label: t('Go back to {host}', { host: shop.host }) },
    accent,
  });
}
