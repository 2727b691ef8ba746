import type { VNode } from 'preact';
import { currentLanguage, t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ChoiceGroup } from '../../web/kit/parts/form-field.js';
import { Button } from '../../web/kit/parts/form-parts.js';
import { AlertIcon, LockIcon } from '../../web/kit/parts/icons.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { AddedText, Time } from '../../web/kit/parts/values.js';
import type { Brand } from '../brand/brand.js';
import type { PurchaseOutlook } from '../checkout/buyer-access.js';
import type { Offer } from '../checkout/checkout.js';
import { BenefitList, Days, PriceText, RenewalText, RhythmText, SoldBy } from './shop-parts.pages.js';

interface CheckoutPageProps {
  order: PageOrder;
  action: string;
  terms: string;
  methods: readonly { id: string; name: string; note: string }[];
  chosen?: string | undefined;
  transfer?: readonly { label: string; value: string }[] | undefined;
  cancelUrl: string;
  error?: string | undefined;
  notice?: string | undefined;
  disclaimer: string;
  accent: string | null;
}

export function checkoutPage(props: CheckoutPageProps): Page {
  const { order, error, transfer } = props;
  const isFree = order.amountMinor === 0;
  const { name } = order;
  const title =
    props.methods.length === 0
      ? t('Pay for {name}', { name })
      : transfer === undefined
        ? t('Pay for {name} by card', { name })
        : t('Pay for {name} in crypto', { name });
  return renderDocument({
    title: error === undefined ? title : t('Payment failed: {title}', { title }),
    layout: 'card',
    loadsPageScript: true,
    accent: props.accent,
    children: (
      <main class="checkout">
        <OrderSummary order={order} />
        <section class="checkout-payment" aria-label={t('Payment')}>
          {props.notice !== undefined && (
            <p class="notice caution" role="status">
              <AlertIcon />
              <span>{props.notice}</span>
            </p>
          )}
          <p class="checkout-buyer muted">{t('For {buyer}', { buyer: <bdi>{order.buyer}</bdi> })}</p>
          {!isFree && transfer !== undefined && <Transfer transfer={transfer} />}
          <form class="form" method="post" action={props.action}>
            <input type="hidden" name="terms" value={props.terms} />
            {!isFree && props.methods.length > 0 && <Methods {...props} />}
            {error !== undefined && (
              <p class="notice refusal" role="alert">
                <AlertIcon />
                <span>{error}</span>
              </p>
            )}
            <Button kind="primary">
              <LockIcon />
              {isFree ? (
                t('Get it for free')
              ) : transfer !== undefined ? (
                t('Confirm that I sent it')
              ) : (
                <span>{t('Pay {price}', { price: <PriceText {...order} /> })}</span>
              )}
            </Button>
          </form>
          <p class="centred">
            <a href={props.cancelUrl}>
              {t('Cancel and go back to {host}', { host: <bdi>{new URL(props.cancelUrl).host}</bdi> })}
            </a>
          </p>
          <p class="fine centred">
            <AddedText text={props.disclaimer} />
          </p>
        </section>
      </main>
    ),
  });
}

function Transfer({ transfer }: Required<Pick<CheckoutPageProps, 'transfer'>>) {
  return (
    <section aria-labelledby="transfer">
      <h2 class="section-label" id="transfer">
        {t('Send the amount')}
      </h2>
      <dl class="bill transfer">
        {transfer?.map(({ label, value }) => [
          <dt key={`${label} name`}>
            <AddedText text={label} />
          </dt>,
          <dd key={label}>
            <code>
              <AddedText text={value} />
            </code>
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
      label={t(transfer === undefined ? 'Pay with' : 'What happens next')}
      type="radio"
      isBoxed
      choices={methods.map(({ id, name, note }) => ({
        value: id,
        label: <AddedText text={name} />,
        hint: <AddedText text={note} />,
        checked: id === chosen?.id,
      }))}
    />
  );
}

interface PageOrder extends Omit<Offer, 'paidBy' | 'seller'> {
  seller: Pick<Brand, 'name' | 'logoUrl'> | null;
  buyer: string;
  /** The buyer's access after the payment. Undefined for other visitors: it reveals what the buyer already has. */
  outlook: PurchaseOutlook | undefined;
}

function OrderSummary({ order }: { order: PageOrder }) {
  const { name, seller, description } = order;
  return (
    <section class="checkout-summary" aria-label={t('Your order')}>
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
      <SoldBy seller={seller?.name ?? null} />
    </section>
  );
}

function Bill({ order }: { order: PageOrder }) {
  const { outlook } = order;
  return (
    <>
      <dl class="bill">
        <dt class="bill-total">{t('Due today')}</dt>
        <dd class="bill-total">
          <PriceText {...order} />
        </dd>
        {outlook?.nextPaymentAt != null ? (
          <>
            <dt>
              {t('Next payment on {date}', { date: <Time at={outlook.nextPaymentAt} precision="date" /> })}
            </dt>
            <dd>
              <PriceText {...order} />
            </dd>
          </>
        ) : (
          <>
            <dt>{t('Access')}</dt>
            <dd>
              <AccessText order={order} />
            </dd>
          </>
        )}
      </dl>
      <p class="muted">
        <RenewalText {...order} />
      </p>
      {outlook === undefined ? (
        <StrangerNote order={order} />
      ) : (
        <OutlookNote outlook={outlook} order={order} />
      )}
    </>
  );
}

function AccessText({ order: { outlook, periodDays } }: { order: PageOrder }) {
  if (periodDays === null) return <>{t('Lifetime')}</>;
  if (outlook === undefined || outlook.endsAt === null) return <Days count={periodDays} />;
  return <>{t('until {date}', { date: <Time at={outlook.endsAt} precision="date" /> })}</>;
}

function OutlookNote({ outlook, order }: { outlook: PurchaseOutlook; order: PageOrder }) {
  const { startsAt, nextPaymentAt, resumes, pauses, stopsRenewal } = outlook;
  const name = <bdi>{order.name}</bdi>;
  return (
    <>
      {startsAt !== null && (
        <p class="muted">
          {t('{name} starts on {date}, after what you already have.', {
            name,
            date: <Time at={startsAt} precision="date" />,
          })}
        </p>
      )}
      {resumes !== null && (
        <p class="muted">
          <ResumesText name={name} resumes={resumes} renews={nextPaymentAt !== null} />
        </p>
      )}
      {pauses.length > 0 && (
        <p class="muted">
          {startsAt === null
            ? t('{name} has no end, and starts at once.', { name })
            : t('{name} has no end.', { name })}{' '}
          {t(
            'What is then left of {names} is kept and not used up. It goes on only if this payment is refunded.',
            { names: <Names names={pauses} /> },
          )}
        </p>
      )}
      {stopsRenewal && (
        <p class="muted">
          {t('Your current subscription stops renewing. What you’ve paid for stays yours.')}
        </p>
      )}
    </>
  );
}

function ResumesText(props: {
  name: VNode;
  resumes: NonNullable<PurchaseOutlook['resumes']>;
  renews: boolean;
}) {
  const { name, resumes, renews } = props;
  const values = {
    ...{ name, other: <bdi>{resumes.name}</bdi> },
    date: <Time at={resumes.at} precision="date" />,
  };
  if (renews)
    return (
      <>
        {t(
          '{name} starts at once. Your {other} goes on after it, on {date} or, if this renews, when it ends.',
          values,
        )}
      </>
    );
  if (resumes.endsAt === null)
    return <>{t('{name} starts at once. Your {other} goes on after it, on {date}.', values)}</>;
  const end = <Time at={resumes.endsAt} precision="date" />;
  return (
    <>
      {t('{name} starts at once. Your {other} goes on after it, on {date}, until {end}.', { ...values, end })}
    </>
  );
}

function Names({ names }: { names: readonly string[] }) {
  const { language, locale } = currentLanguage();
  const list = new Intl.ListFormat(language === 'en' ? 'en-GB' : locale);
  return (
    <>
      {list
        .formatToParts(names)
        .map(({ type, value }) => (type === 'element' ? <bdi key={value}>{value}</bdi> : value))}
    </>
  );
}

/** The same for everyone who isn't signed in as the buyer: it doesn't reveal what the address has. */
function StrangerNote({ order: { renews, subject, amountMinor } }: { order: PageOrder }) {
  if (subject.kind === 'product' || amountMinor === 0) return null;
  return (
    <p class="muted">
      {t('What you buy is added after anything that this e-mail address has, and changes none of it.')}{' '}
      {renews && `${t('If a subscription renews there, you pay for one period only.')} `}
      {t('To choose otherwise, sign in with the address first.')}
    </p>
  );
}
