import type { ComponentChildren } from 'preact';
import { formatPrice } from '../../domain/catalogue/price.js';
import { maskEmail, type Receipt } from '../../domain/checkout/buyer-access.js';
import type { Checkout, OpenCheckout } from '../../domain/checkout/checkout.js';
import { renderDocument } from '../ui/frame/document.js';
import { messagePage } from '../ui/frame/message-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { ButtonLink } from '../ui/parts/form-parts.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { Money, Time } from '../ui/parts/values.js';
import { PriceText } from './shop-parts.js';

/** Facts of every page of a checkout that has nothing left to pay. */
interface PaidPageProps {
  checkout: Pick<Checkout, 'offer' | 'successUrl'>;
  /** True if the buyer returns to a page of the service. Its link names the seller or the product, and not the host. */
  isOwnPage: boolean;
  accent: string | null;
}

/**
 * Renders the page after the payment, which loads `successUrl`. Anyone can send a link to a finished checkout, so only the
 * browser that paid leaves the service without a click. A redirect would not work: Chromium applies the form's
 * `form-action` policy to the whole redirect chain, and the chain of a shop's URL is unknown.
 *
 * @param props.goesOn True if the browser that just paid loads `successUrl` at once. Other visitors get the link only.
 * @param props.receipt Payment and access, for the browser that paid.
 */
export function checkoutPaidPage(
  props: PaidPageProps & { goesOn: boolean; receipt: Receipt | undefined },
): Page {
  const { receipt, goesOn } = props;
  const { offer, successUrl } = props.checkout;
  const name = offer?.name ?? 'your purchase';
  const isPlan = offer?.subject.kind === 'plan';
  return renderDocument({
    title: `Paid: ${name}`,
    layout: 'card',
    accent: props.accent,
    ...(goesOn && { goesOnTo: successUrl }),
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Payment complete</h1>
        <p class="lead">
          {receipt === undefined ? (
            <>
              This checkout is complete: <bdi>{name}</bdi>.
            </>
          ) : isPlan ? (
            'You’re a member.'
          ) : (
            <>
              <bdi>{name}</bdi> is yours.
            </>
          )}
        </p>
        {receipt !== undefined && (
          <dl class="bill receipt">
            <Fact label={isPlan ? 'Plan' : 'Product'}>
              <bdi>{name}</bdi>
            </Fact>
            <Fact label="Paid">
              <PriceText amountMinor={receipt.amountMinor} currency={receipt.currency} />
            </Fact>
            <AccessFact access={receipt.access} />
          </dl>
        )}
        {receipt !== undefined && receipt.mailedTo !== null && (
          <p class="fine">
            We’ve mailed a receipt to <bdi>{maskEmail(receipt.mailedTo)}</bdi>.
          </p>
        )}
        <ButtonLink kind="primary" href={successUrl}>
          <Continue {...props} />
        </ButtonLink>
        {goesOn && <p class="fine">Taking you back…</p>}
      </main>
    ),
  });
}

/** Label of the link to `successUrl`: one element, because the children of a button are laid out beside each other. */
function Continue({ checkout: { offer, successUrl }, isOwnPage }: PaidPageProps) {
  const owner = offer?.subject.kind === 'plan' ? offer.seller : null;
  return (
    <span>
      Continue to{' '}
      <bdi>{isOwnPage ? (owner ?? offer?.name ?? 'your purchase') : new URL(successUrl).host}</bdi>
    </span>
  );
}

function AccessFact({ access }: Pick<Receipt, 'access'>) {
  if (access === null) return null;
  if (access.nextPayment !== null) {
    return (
      <Fact label="Next payment">
        <Money minor={access.nextPayment.amountMinor} currency={access.nextPayment.currency} /> on{' '}
        <Time at={access.nextPayment.at} precision="date" />
      </Fact>
    );
  }
  return (
    <Fact label="Access">
      {access.endsAt === null ? (
        'Lifetime'
      ) : (
        <>
          until <Time at={access.endsAt} precision="date" />
        </>
      )}
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

/**
 * Renders the page for a buyer who has paid in another checkout. The shop's page for finished purchases comes first: the buyer
 * has what this checkout sells.
 *
 * @param when `earlier`: the buyer tried again after an error. The page names no other order: the visitor may be another person.
 */
export function alreadyPaidPage(
  props: PaidPageProps & { checkout: OpenCheckout },
  when: 'later' | 'earlier',
): Page {
  const { offer, successUrl } = props.checkout;
  return messagePage({
    title: 'Already paid',
    text:
      when === 'later'
        ? `“${offer.name}” was paid in another checkout after this one was opened. Nothing was charged here.`
        : 'An earlier payment was received after all, and gives access now. Nothing was charged this time.',
    action: { href: new URL(successUrl).href, label: <Continue {...props} /> },
    isDone: true,
    accent: props.accent,
  });
}

/** Renders the page for a buyer who has paid for nothing. Only the seller can refund the payment. */
export function noAccessPage({ offer, cancelUrl }: OpenCheckout, accent: string | null): Page {
  const shop = new URL(cancelUrl);
  const price = formatPrice(offer.amountMinor, offer.currency);
  return messagePage({
    title: 'This payment gave no access',
    text: `Your payment of ${price} for “${offer.name}” succeeded, but gave no access: this checkout was paid with another order at the same time. The seller can see the payment. Ask the seller for a refund.`,
    action: { href: shop.href, label: `Go back to ${shop.host}` },
    accent,
  });
}
