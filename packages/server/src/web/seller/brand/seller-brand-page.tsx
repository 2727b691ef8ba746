import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { BrandFields, type BrandFieldValues } from '../../ui/parts/brand-fields.js';
import { Button } from '../../ui/parts/button.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';

/** Props of {@link sellerBrandPage}. */
export interface SellerBrandPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  values: BrandFieldValues;
}

/** Renders the form of a community's logo and accent: `POST …/brand`, with `preview` to save nothing. */
export function sellerBrandPage(props: SellerBrandPageProps): Page {
  const { community, frame, values, errors } = props;
  const path = `${communityPath(community.id)}/brand`;
  return renderCommunityPage({
    ...props,
    section: 'brand',
    title: 'Brand',
    children: (
      <form class="panel form" method="post" action={path}>
        <AccountField account={frame.account} />
        <BrandFields
          name={community.name}
          values={values}
          logoHint="Shown on your public page, at checkout and in mails. URL of a square image: https, or an image as a data: URL."
          accentHint="Buttons and links on your public page, at checkout and in mails. Links are darkened or lightened until they are readable."
          errors={errors}
        />
        <div class="form-actions">
          <Button kind="primary">Save brand</Button>
          <Button name="preview" value="on" formaction={`${path}#accentChoice`} formNoValidate>
            Preview
          </Button>
        </div>
      </form>
    ),
  });
}
