import type { SellerProductType } from '@latchkey/contract/constants';
import { t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { AccountField, Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { CheckIcon } from '../../web/kit/parts/icons.js';
import { EmptyState } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { Pill, Time } from '../../web/kit/parts/values.js';
import { PRODUCT_TYPES, productTypeInWords } from '../products/product.resource.js';
import { type OfferedTerms, PriceText, SoldBy, VisitorNav } from './shop-parts.pages.js';

interface ProductPageProps {
  id: string;
  name: string;
  seller: string | null;
  type: string | null;
  description: string | null;
  price: Pick<OfferedTerms, 'amountMinor' | 'currency'> | undefined;
  visitor: { account: string; access: ProductAccess } | undefined;
  signInHref: string;
}

export type ProductAccess = 'none' | 'for-life' | { until: number };

export function productPage(props: ProductPageProps): Page {
  const { name, description } = props;
  return renderDocument({
    title: isOwned(props) ? t('Yours: {name}', { name }) : t('Buy: {name}', { name }),
    layout: 'wide',
    headerEnd: <VisitorNav isSignedIn={props.visitor !== undefined} signInHref={props.signInHref} />,
    children: (
      <main class="column">
        <div class="profile">
          <ClientLogo name={name} />
          <div>
            <h1>
              <bdi>{name}</bdi>
            </h1>
            <Origin {...props} />
          </div>
        </div>
        <div class={description === null ? 'offer' : 'offer has-description'}>
          {description !== null && (
            <p class="description lines">
              <bdi>{description}</bdi>
            </p>
          )}
          <section
            class="panel plan-card"
            aria-label={t(isOwned(props) ? 'Your access' : 'Buy this product')}
          >
            <Sale {...props} />
          </section>
        </div>
      </main>
    ),
  });
}

function Origin({ type, seller }: ProductPageProps) {
  return (
    <p class="muted">
      {type !== null && seller !== null
        ? t('{type} by {seller}', { type: typeInWords(type), seller: <bdi>{seller}</bdi> })
        : type !== null
          ? typeInWords(type)
          : seller !== null && <bdi>{seller}</bdi>}
    </p>
  );
}

function Sale(props: ProductPageProps) {
  const { price, visitor } = props;
  if (isOwned(props)) {
    return (
      <>
        <div class="plan-card-heading">
          <h2>{t('Your access')}</h2>
          <Pill tone="good">{t('Owned')}</Pill>
        </div>
        <p class="inline-icon owned">
          <CheckIcon />
          {t('You have lifetime access to this product.')}
        </p>
        <div class="plan-card-action">
          <ButtonLink href="/account" label={t('Open your account')} />
        </div>
      </>
    );
  }
  const access = visitor?.access;
  const until = typeof access === 'object' && (
    <p class="muted">
      {t('You have access until {date}. If you buy it, you get lifetime access.', {
        date: <Time at={access.until} precision="date" />,
      })}
    </p>
  );
  if (price === undefined) {
    return (
      <>
        {until}
        <EmptyState title={t('Not for sale')} text={t('This product is not for sale at the moment.')} />
      </>
    );
  }
  return (
    <>
      <p class="amount">
        <PriceText {...price} />
      </p>
      <p class="muted">{t('One payment, lifetime access.')}</p>
      {until}
      <BuyAction {...props} />
      <SoldBy seller={props.seller} />
    </>
  );
}

function BuyAction({ id, visitor, signInHref }: ProductPageProps) {
  if (visitor === undefined) {
    return (
      <div class="plan-card-action">
        <ButtonLink kind="primary" href={signInHref} label={t('Sign in to buy')} />
      </div>
    );
  }
  return (
    <form class="plan-card-action" method="post" action={`/products/${id}/buy`}>
      <AccountField account={visitor.account} />
      <Button kind="primary">{t('Buy')}</Button>
    </form>
  );
}

function isOwned({ visitor }: ProductPageProps): boolean {
  return visitor?.access === 'for-life';
}

/** A type that isn't in the table comes from the service's operator. */
function typeInWords(type: string): string {
  return Object.hasOwn(PRODUCT_TYPES, type)
    ? productTypeInWords(type as SellerProductType)
    : type.charAt(0).toUpperCase() + type.slice(1);
}
