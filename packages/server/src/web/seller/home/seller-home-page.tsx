import type { Product } from '../../../domain/catalogue/products.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { AccountField, renderAreaPage } from '../../ui/area-page.js';
import { TextField } from '../../ui/form-field.js';
import type { Page } from '../../ui/site.js';
import { communityPath, productPath, type SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME } from '../frame/seller-sections.js';
import { productPriceInWords, productTypeInWords, roleInWords } from '../frame/seller-wording.js';

/** Props of {@link sellerHomePage}. */
export interface SellerHomePageProps extends SellerPageProps {
  communities: readonly AdministeredCommunity[];
  products: readonly Product[];
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
        <Products products={props.products} />
      </>
    ),
  });
}

function Communities({ communities, frame, communityName = '', errors }: SellerHomePageProps) {
  return (
    <section class="panel" aria-labelledby="communities">
      <h2 id="communities">Communities</h2>
      {communities.length === 0 ? (
        <p class="empty">You have no communities.</p>
      ) : (
        <ul class="rows">
          {communities.map(({ id, name, role }) => (
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

function Products(props: { products: readonly Product[] }) {
  return (
    <section class="panel" aria-labelledby="products">
      <h2 id="products">Products</h2>
      {props.products.length === 0 ? (
        <p class="empty">You have no products.</p>
      ) : (
        <ul class="rows">
          {props.products.map(({ id, name, type, price }) => (
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
      <div class="panel-actions">
        <a class="button secondary" href="/seller/products/new">
          Create product
        </a>
      </div>
    </section>
  );
}
