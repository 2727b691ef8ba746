import type { Brand } from '../../domain/brand/brand.js';
import type { PurchaseOutlook } from '../../domain/checkout/buyer-access.js';
import type { Offer } from '../../domain/checkout/offer.js';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/send-page.js';
import { ChoiceGroup } from '../ui/parts/form-field.js';
import { Button, Notice } from '../ui/parts/form-parts.js';
import { AlertIcon, LockIcon } from '../ui/parts/icons.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { Time } from '../ui/parts/values.js';
import { BenefitList, Days, PriceText, RenewalText, RhythmText } from './shop-parts.js';

interface CheckoutPageProps {
  order: PageOrder;
  /** Root-relative path that the form posts `terms` and `method` to. */
  action: string;
  /** Digest of the terms that the buyer sees, for the field `terms`. */
  terms: string;
  /** Payment methods, the most common first. */
  methods: readonly { id: string; name: string; note: string }[];
  /** Id of the method that the buyer chose before. Otherwise the first method is chosen. */
  chosen?: string | undefined;
  /** Amount, address and other details of a crypto transfer; `undefined` for a card payment. */
  transfer?: readonly { label: string; value: string }[] | undefined;
  /** http or https URL of the link "Cancel". */
  cancelUrl: string;
  error?: string | undefined;
  /** Change of the order since the buyer opened the page. */
  notice?: string | undefined;
  disclaimer: string;
  accent: string | null;
}

/** Renders a checkout page: the order, the payment methods and a link that cancels. `POST` of `terms` and `method` to `action`. */
export function checkoutPage(props: CheckoutPageProps): Page {
  const { order, error, transfer } = props;
  const isFree = order.amountMinor === 0;
  const title = `Pay for ${order.name} ${transfer === undefined ? 'by card' : 'in crypto'}`;
  return renderDocument({
    title: error === undefined ? title : `Payment failed: ${title}`,
    layout: 'card',
    accent: props.accent,
    children: (
      <main class="checkout">
        <OrderSummary order={order} />
        <section class="checkout-payment" aria-label="Payment">
          {props.notice !== undefined && <Notice text={props.notice} />}
          <p class="checkout-buyer">
            <span class="muted">For</span> <bdi>{order.buyer}</bdi>
          </p>
          {!isFree && transfer !== undefined && <Transfer transfer={transfer} />}
          <form class="form" method="post" action={props.action}>
            <input type="hidden" name="terms" value={props.terms} />
            {!isFree && <Methods {...props} />}
            {error !== undefined && (
              <p class="notice refusal" role="alert">
                <AlertIcon />
                <span>{error}</span>
              </p>
            )}
            <Button kind="primary">
              <LockIcon />
              {isFree ? (
                'Get it for free'
              ) : transfer !== undefined ? (
                'Confirm that I sent it'
              ) : (
                <span>
                  Pay <PriceText {...order} />
                </span>
              )}
            </Button>
          </form>
          <p class="centred">
            <a href={props.cancelUrl}>
              Cancel and go back to <bdi>{new URL(props.cancelUrl).host}</bdi>
            </a>
          </p>
          <p class="fine centred">{props.disclaimer}</p>
        </section>
      </main>
    ),
  });
}

function Transfer({ transfer }: Required<Pick<CheckoutPageProps, 'transfer'>>) {
  return (
    <section aria-labelledby="transfer">
      <h2 class="section-label" id="transfer">
        Send the amount
      </h2>
      <dl class="bill transfer">
        {transfer?.map(({ label, value }) => [
          <dt key={`${label} name`}>{label}</dt>,
          <dd key={label}>
            <code>{value}</code>
          </dd>,
        ])}
      </dl>
    </section>
  );
}

function Methods({ methods, transfer, ...props }: CheckoutPageProps) {
  const chosen = methods.find(({ id }) => id === props.chosen) ?? methods[0];
  return (
    <ChoiceGroup
      name="method"
      label={transfer === undefined ? 'Pay with' : 'What happens next'}
      type="radio"
      isBoxed
      choices={methods.map(({ id, name, note }) => ({
        value: id,
        label: name,
        hint: note,
        checked: id === chosen?.id,
      }))}
    />
  );
}

interface PageOrder extends Omit<Offer, 'paidBy' | 'seller' | 'subject'> {
  /** Community, or the product's seller. Null for a seller without a name. */
  seller: Pick<Brand, 'name' | 'logoUrl'> | null;
  /** Masked e-mail address of the buyer: `d•••@example.com`. */
  buyer: string;
  /** Access after the payment, for the buyer. Undefined for other visitors, because it reveals what the buyer already has. */
  outlook: PurchaseOutlook | undefined;
}

/** Order of a checkout page: what is bought, what is due today and what is due later. */
function OrderSummary({ order }: { order: PageOrder }) {
  const { name, seller, description } = order;
  return (
    <section class="checkout-summary" aria-label="Your order">
      <p class="checkout-seller">
        <ClientLogo name={seller?.name ?? name} logoUrl={seller?.logoUrl} size="small" />
        {seller !== null && <bdi>{seller.name}</bdi>}
      </p>
      <div class="checkout-title">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="amount">
          <PriceText {...order} />
          {order.amountMinor > 0 && (
            <span class="rhythm">
              <RhythmText {...order} />
            </span>
          )}
        </p>
      </div>
      {description !== null && (
        <p class="muted description">
          <bdi>{description}</bdi>
        </p>
      )}
      <Bill order={order} />
      <BenefitList {...order} />
    </section>
  );
}

function Bill({ order }: { order: PageOrder }) {
  const { outlook, periodDays } = order;
  // A buyer with lifetime access pays for a plan of a community whose gates ask for it.
  const isKept = outlook?.endsAt === null && periodDays !== null;
  return (
    <>
      <dl class="bill">
        <dt class="bill-total">Due today</dt>
        <dd class="bill-total">
          <PriceText {...order} />
        </dd>
        {outlook?.nextPaymentAt != null ? (
          <>
            <dt>
              Next payment on <Time at={outlook.nextPaymentAt} precision="date" />
            </dt>
            <dd>
              <PriceText {...order} />
            </dd>
          </>
        ) : (
          <>
            <dt>Access</dt>
            <dd>
              <AccessText order={order} />
            </dd>
          </>
        )}
      </dl>
      <p class="muted">
        {isKept ? (
          'Your access already has no end. This payment adds no time and never renews.'
        ) : (
          <RenewalText {...order} />
        )}
      </p>
    </>
  );
}

function AccessText({ order: { outlook, periodDays } }: { order: PageOrder }) {
  if (outlook === undefined && periodDays !== null) return <Days count={periodDays} />;
  if (outlook === undefined || outlook.endsAt === null) return <>Lifetime</>;
  return (
    <>
      until <Time at={outlook.endsAt} precision="date" />
    </>
  );
}
