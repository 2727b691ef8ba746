import { renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { Panel } from '../../ui/parts/panel.js';
import { CreationForm } from '../frame/creation-form.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { SELLER_HOME, SELLER_SECTIONS } from '../frame/seller-sections.js';
import { type ProductFields, ProductFormFields } from './product-form-fields.js';

/** Props of {@link newProductPage}. */
export interface NewProductPageProps extends SellerPageProps {
  fields: ProductFields;
  /** Id of the submission. */
  submission: string;
}

/** Renders the form of a new product: `POST /seller/products`. */
export function newProductPage(props: NewProductPageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    frame,
    area: 'seller',
    sections: SELLER_SECTIONS,
    section: SELLER_HOME.href,
    title: 'New product',
    parent: SELLER_HOME,
    errors,
    children: (
      <Panel>
        <CreationForm
          action="/seller/products"
          account={frame.account}
          submission={props.submission}
          submit="Create product"
          cancelHref={SELLER_HOME.href}
        >
          <ProductFormFields fields={props.fields} errors={errors} />
        </CreationForm>
      </Panel>
    ),
  });
}
