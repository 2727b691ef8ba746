import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { VisitorNav } from '../ui/frame/visitor-nav.js';
import { AccountField } from '../ui/parts/account-field.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { PlainDate } from '../ui/parts/plain-time.js';
import { type OfferedTerms, priceInWords } from './terms-wording.js';

/** Props of {@link productPage}. */
export interface ProductPageProps {
  id: string;
  name: string;
  /** Null for a seller without a name. */
  seller: string | null;
  /** `ebook`, `course` and so on. Null for a product without a type. */
  type: string | null;
  /** `undefined` if the product is not for sale. */
  price: Pick<OfferedTerms, 'amountMinor' | 'currency'> | undefined;
  /** Signed-in user; `undefined` for a visitor who is not signed in. */
  visitor: { account: string; access: ProductAccess } | undefined;
  /** Root-relative path of the sign-in page that continues here. */
  signInHref: string;
}

/** Access of the visitor: none, until a time (milliseconds since the epoch), or for life. */
export type ProductAccess = 'none' | 'for-life' | { until: number };

/** Renders the public page of a product. `POST /products/{id}/buy` with `account` opens a checkout for the signed-in user. */
export function productPage(props: ProductPageProps): Page {
  return renderDocument({
    title: `${isOwned(props) ? 'Yours' : 'Buy'}: ${props.name}`,
    layout: 'wide',
    headerEnd: <VisitorNav isSignedIn={props.visitor !== undefined} signInHref={props.signInHref} />,
    children: (
      <main class="column">
        <div class="profile">
          <ClientLogo name={props.name} />
          <div>
            <h1>
              <bdi>{props.name}</bdi>
            </h1>
            <p class="muted">
              {props.type !== null && capitalised(props.type)}
              {props.type !== null && props.seller !== null && ' by '}
              {props.seller !== null && <bdi>{props.seller}</bdi>}
            </p>
          </div>
        </div>
        <section class="panel" aria-labelledby="buy">
          <h2 id="buy">{isOwned(props) ? 'Your access' : 'Buy this product'}</h2>
          <Sale {...props} />
        </section>
      </main>
    ),
  });
}

function Sale(props: ProductPageProps) {
  const { id, price, visitor } = props;
  if (isOwned(props)) {
    return (
      <p class="inline-icon owned">
        <CheckIcon />
        You have lifetime access to this product.
      </p>
    );
  }
  const access = visitor?.access;
  const until = typeof access === 'object' && (
    <p class="muted">
      You have access until <PlainDate at={access.until} />. If you buy it, you get lifetime access.
    </p>
  );
  if (price === undefined) {
    return (
      <>
        {until}
        <p class="empty">This product is not for sale at the moment.</p>
      </>
    );
  }
  return (
    <>
      <p class="amount">{priceInWords(price)}</p>
      <p class="muted">One payment, lifetime access.</p>
      {until}
      <div class="panel-actions">
        {visitor === undefined ? (
          <a class="button primary" href={props.signInHref}>
            Sign in to buy
          </a>
        ) : (
          <form method="post" action={`/products/${id}/buy`}>
            <AccountField account={visitor.account} />
            <button class="button primary" type="submit">
              Buy
            </button>
          </form>
        )}
      </div>
    </>
  );
}

function isOwned({ visitor }: ProductPageProps): boolean {
  return visitor?.access === 'for-life';
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
