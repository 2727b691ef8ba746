import type { Product } from '../../../domain/catalogue/products.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import { renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Pager } from '../../ui/parts/pager.js';
import { communityPath, productPath, type SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME } from '../frame/seller-sections.js';
import { productPriceInWords, productTypeInWords, roleInWords } from '../frame/seller-wording.js';

/** Props of {@link sellerHomePage}. */
export interface SellerHomePageProps extends SellerPageProps {
  communities: ListPage<AdministeredCommunity>;
  products: ListPage<Product>;
  /** True for the first page of each list. */
  isFirst: { communities: boolean; products: boolean };
  /**
   * Raw name of the new community.
   *
   * @default empty
   */
  communityName?: string | undefined;
}

/** Renders the user's communities and products. `POST /seller/communities` with `name` creates a community. */
export function sellerHomePage(props: SellerHomePageProps): Page {
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: [SELLER_HOME],
    section: SELLER_HOME.href,
    title: 'Communities and products',
    lead: 'Communities that you administer, and products that you sell.',
    notice: props.notice,
    errors: props.errors,
    children: (
      <>
        <Communities {...props} />
        <Products {...props} />
      </>
    ),
  });
}

function Communities({ communities, isFirst, frame, communityName = '', errors }: SellerHomePageProps) {
  return (
    <section class="panel" aria-labelledby="communities">
      <h2 id="communities">Communities</h2>
      {communities.rows.length === 0 ? (
        <p class="empty">You have no communities.</p>
      ) : (
        <ul class="rows">
          {communities.rows.map(({ id, name, role }) => (
            <li class="row" key={id}>
              <p class="row-text row-title">
                <a href={communityPath(id)}>
                  <bdi>{name}</bdi>
                </a>
              </p>
              <p class="tag">{roleInWords(role)}</p>
            </li>
          ))}
        </ul>
      )}
      <Pager
        path={SELLER_HOME.href}
        param="communities"
        next={communities.next}
        isFirst={isFirst.communities}
        first="first communities"
      />
      <form class="form panel-form" method="post" action="/seller/communities">
        <AccountField account={frame.account} />
        <TextField
          name="name"
          label="Name of the new community"
          hint="You become its owner."
          value={communityName}
          maxLength={200}
          required
          errors={errors}
        />
        <div class="form-actions">
          <button class="button primary" type="submit">
            Create community
          </button>
        </div>
      </form>
    </section>
  );
}

function Products(props: SellerHomePageProps) {
  return (
    <section class="panel" aria-labelledby="products">
      <h2 id="products">Products</h2>
      {props.products.rows.length === 0 ? (
        <p class="empty">You have no products.</p>
      ) : (
        <ul class="rows">
          {props.products.rows.map(({ id, name, type, price }) => (
            <li class="row" key={id}>
              <div class="row-text">
                <p class="row-title">
                  <a href={productPath(id)}>
                    <bdi>{name}</bdi>
                  </a>
                </p>
                <p class="muted">{productTypeInWords(type)}</p>
              </div>
              <p class={price === null ? 'tag quiet' : 'tag'}>
                {price === null ? 'Not for sale' : productPriceInWords(price)}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager
        path={SELLER_HOME.href}
        param="products"
        next={props.products.next}
        isFirst={props.isFirst.products}
        first="first products"
      />
      <div class="panel-actions">
        <a class="button secondary" href="/seller/products/new">
          Create product
        </a>
      </div>
    </section>
  );
}
