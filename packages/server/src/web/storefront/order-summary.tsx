import type { Brand } from '../../domain/brand/brand.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { Time } from '../ui/parts/time.js';
import { BenefitList } from './benefit-list.js';
import { type OfferedTerms, PriceText, RenewalText, RhythmText } from './terms-wording.js';

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
  /** End of the access after the payment, in milliseconds since the epoch. Null for lifetime access. */
  endsAt: number | null;
  /** Time of the next payment in milliseconds since the epoch. Null if there is none. */
  nextPaymentAt: number | null;
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
  const { nextPaymentAt, endsAt, periodDays } = order;
  // A buyer with lifetime access pays for a plan of a community whose gates ask for it.
  const isKept = endsAt === null && periodDays !== null;
  return (
    <>
      <dl class="bill">
        <dt class="bill-total">Due today</dt>
        <dd class="bill-total">
          <PriceText {...order} />
        </dd>
        {nextPaymentAt !== null ? (
          <>
            <dt>
              Next payment on <Time at={nextPaymentAt} precision="date" />
            </dt>
            <dd>
              <PriceText {...order} />
            </dd>
          </>
        ) : (
          <>
            <dt>Access</dt>
            <dd>
              {endsAt === null ? (
                'Lifetime'
              ) : (
                <>
                  until <Time at={endsAt} precision="date" />
                </>
              )}
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
