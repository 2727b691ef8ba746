import { SELLER_PRODUCT_TYPES } from '@latchkey/contract/constants';
import type { FormError } from '../../ui/parts/error-summary.js';
import { SelectField, TextArea, TextField } from '../../ui/parts/form-field.js';
import { CURRENCY_OPTIONS } from '../frame/price-field.js';
import { productTypeInWords } from '../frame/seller-wording.js';

/** Raw values of the form of a product. */
export interface ProductFields {
  name: string;
  slug: string;
  /** Empty for no type. */
  type: string;
  description: string;
  /** Empty for a product that is not for sale. */
  price: string;
  currency: string;
}

const TYPE_OPTIONS = [
  { value: '', label: 'None' },
  ...SELLER_PRODUCT_TYPES.map((type) => ({ value: type, label: productTypeInWords(type) })),
];

/** Fields of a product: `name`, `slug`, `type`, `description`, `price` in the major unit, and `currency`. */
export function ProductFormFields(props: {
  fields: ProductFields;
  errors: readonly FormError[] | undefined;
}) {
  const { fields, errors } = props;
  return (
    <>
      <TextField name="name" label="Name" value={fields.name} maxLength={200} required errors={errors} />
      <TextField
        name="slug"
        label="Slug"
        hint="Part of URLs: lower-case letters, digits and hyphens. It must be unique among your products."
        value={fields.slug}
        maxLength={100}
        required
        spellcheck={false}
        errors={errors}
      />
      <SelectField name="type" label="Type" value={fields.type} options={TYPE_OPTIONS} errors={errors} />
      <TextArea
        name="description"
        label="Description (optional)"
        hint="Shown on the product’s page, at most 1,000 characters."
        value={fields.description}
        errors={errors}
      />
      <div class="field-pair">
        <TextField
          name="price"
          label="Price"
          hint="For example 9.50 or 9,50. Leave blank if it is not for sale."
          value={fields.price}
          inputMode="decimal"
          errors={errors}
        />
        <SelectField
          name="currency"
          label="Currency"
          value={fields.currency}
          options={CURRENCY_OPTIONS}
          errors={errors}
        />
      </div>
    </>
  );
}
