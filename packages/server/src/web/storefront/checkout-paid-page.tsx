import type { ComponentChildren } from 'preact';
import { maskEmail, type Receipt } from '../../domain/checkout/buyer-access.js';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { ButtonLink } from '../ui/parts/button.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { Money } from '../ui/parts/money.js';
import { Time } from '../ui/parts/time.js';
import { PriceText } from './terms-wording.js';

export interface CheckoutPaidPageProps {
  /** Name of the plan or product. */
  name: string;
  /** True for a plan of a community. */
  isPlan: boolean;
  /** http or https URL of the shop. */
  successUrl: string;
  /** True if the browser that just paid loads `successUrl` at once. Other visitors get the link only. */
  goesOn: boolean;
  /** Payment and access, for the browser that paid. */
  receipt: Receipt | undefined;
  /** Name of the community or of the product's seller. Null for a seller without a name. */
  seller: string | null;
  /** Accent of the community's brand: `#rrggbb`. */
  accent: string | null;
  /** True if `successUrl` is a page of the service. */
  isOwnPage: boolean;
}

/**
 * Renders the page after the payment, which loads `successUrl`. Anyone can send a link to a finished checkout, so only the
 * browser that paid leaves the service without a click. A redirect would not work: Chromium applies the form's
 * `form-action` policy to the whole redirect chain, and the chain of a shop's URL is unknown.
 */
export function checkoutPaidPage(props: CheckoutPaidPageProps): Page {
  const { receipt, goesOn } = props;
  return renderDocument({
    title: `Paid: ${props.name}`,
    layout: 'card',
    accent: props.accent,
    ...(goesOn && { goesOnTo: props.successUrl }),
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Payment complete</h1>
        <p class="lead">{receipt === undefined ? <Finished {...props} /> : <Granted {...props} />}</p>
        {receipt !== undefined && <ReceiptFacts {...props} receipt={receipt} />}
        {receipt !== undefined && receipt.mailedTo !== null && (
          <p class="fine">
            We’ve mailed a receipt to <bdi>{maskEmail(receipt.mailedTo)}</bdi>.
          </p>
        )}
        <ButtonLink kind="primary" href={props.successUrl}>
          <span>
            Continue to <bdi>{destinationOf(props)}</bdi>
          </span>
        </ButtonLink>
        {goesOn && <p class="fine">Taking you back…</p>}
      </main>
    ),
  });
}

function destinationOf({ isOwnPage, isPlan, seller, name, successUrl }: CheckoutPaidPageProps): string {
  if (!isOwnPage) return new URL(successUrl).host;
  return isPlan && seller !== null ? seller : name;
}

function Finished({ name }: CheckoutPaidPageProps) {
  return (
    <>
      This checkout is complete: <bdi>{name}</bdi>.
    </>
  );
}

function Granted({ name, isPlan }: CheckoutPaidPageProps) {
  if (isPlan) return <>You’re a member.</>;
  return (
    <>
      <bdi>{name}</bdi> is yours.
    </>
  );
}

function ReceiptFacts({ name, isPlan, receipt }: CheckoutPaidPageProps & { receipt: Receipt }) {
  return (
    <dl class="bill receipt">
      <Fact label={isPlan ? 'Plan' : 'Product'}>
        <bdi>{name}</bdi>
      </Fact>
      <Fact label="Paid">
        <PriceText amountMinor={receipt.amountMinor} currency={receipt.currency} />
      </Fact>
      <AccessFact access={receipt.access} />
    </dl>
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
