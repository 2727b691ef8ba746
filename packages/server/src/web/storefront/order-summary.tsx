import type { Brand } from '../../domain/brand/brand.js';
import type { PurchaseOutlook } from '../../domain/checkout/purchase-outlook.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { Time } from '../ui/parts/time.js';
import { BenefitList } from './benefit-list.js';
import { Days, type OfferedTerms, PriceText, RenewalText, RhythmText } from './terms-wording.js';

/** Order as a checkout page shows it. */
export interface PageOrder extends OfferedTerms {
  /** Name of the plan or product. */
  name: string;
  description: string | null;
  benefits: readonly string[];
  /** Community, or the product's seller. Null for a seller without a name. */
  seller: Pick<Brand, 'name' | 'logoUrl'> | null;
  /** Masked e-mail address of the buyer: `d•••@example.com`. */
  buyer: string;
  /** Access after the payment, for the buyer. Undefined for other visitors, because it reveals what the buyer already has. */
  outlook: PurchaseOutlook | undefined;
}

/** Order of a checkout page: what is bought, what is due today and what is due later. */
export function OrderSummary({ order }: { order: PageOrder }) {
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
      <BenefitList benefits={order.benefits} />
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
