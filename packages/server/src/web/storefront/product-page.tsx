import { AccountField } from '../ui/area-page.js';
import { renderDocument } from '../ui/document.js';
import { CheckIcon } from '../ui/icons.js';
import { ClientLogo } from '../ui/picture.js';
import { PlainDate } from '../ui/plain-time.js';
import type { Page } from '../ui/site.js';
import { VisitorNav } from '../ui/visitor-nav.js';
import { type OfferedTerms, priceInWords } from './terms-wording.js';

/** Props of {@link productPage}. */
export interface ProductPageProps {
  id: string;
  name: string;
  /** Null for a seller without a name. */
  seller: string | null;
  /** `ebook`, `course`, …; null for older products. */
  type: string | null;
  /** `undefined` when it is not for sale. */
  price: Pick<OfferedTerms, 'amountMinor' | 'currency'> | undefined;
  /** Whoever is signed in; `undefined` for a visitor, who signs in first. */
  visitor: { account: string; access: ProductAccess } | undefined;
  /** Root-relative address of the sign-in that leads back here. */
  signInHref: string;
}

/** What the visitor has of the product: nothing, until some day (milliseconds since the epoch), or for life. */
export type ProductAccess = 'none' | 'for-life' | { until: number };

/** A product for everybody to see. `POST /products/{id}/buy` with `account` opens a checkout for who is signed in. */
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
          <h2 id="buy">{isOwned(props) ? 'Yours' : 'Buy it'}</h2>
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
        You have bought this product. It is yours for life.
      </p>
    );
  }
  const access = visitor?.access;
  const until = typeof access === 'object' && (
    <p class="muted">
      You have access until <PlainDate at={access.until} />. Bought, it is yours for life.
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
      <p class="muted">One payment, access for life.</p>
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
