import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { brandSchema } from '../../../domain/brand/brand.js';
import { communityBrand } from '../../../domain/brand/brands.js';
import { brandCommunity } from '../../../domain/communities/communities.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import {
  BrandFields,
  type BrandFieldValues,
  brandFieldsOf,
  brandOf,
  fieldsOfBrand,
  PREVIEW_NOTICE,
} from '../../ui/parts/brand-fields.js';
import { Button } from '../../ui/parts/button.js';
import { parseForm } from '../../ui/parts/form.js';
import { noticeOf, redirectDone } from '../frame/seller-notices.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage } from '../frame/seller-request.js';

/** Routes of a community's logo and accent. */
export function brandRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/seller/communities/:communityId/brand')
    .get(showBrand(needs))
    .post(saveBrand(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function showBrand(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async ({ frame, community, request, response }) => {
    const brand = await communityBrand(needs.db, community.id);
    if (brand === undefined) throw notFound();
    const values = fieldsOfBrand(brand);
    sendPage(response, sellerBrandPage({ frame, community, values, notice: noticeOf(request) }));
  });
}

function saveBrand(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityForm(needs, async ({ frame, community, actor, form, response }) => {
    const values = brandFieldsOf(form);
    if (form.has('preview')) {
      return sendPage(response, sellerBrandPage({ frame, community, values, notice: PREVIEW_NOTICE }));
    }
    const { logoUrl = null, accent = null } = brandOf(values);
    const result = parseForm(brandSchema, { logoUrl, accent });
    if (result.kind === 'invalid') {
      const html = sellerBrandPage({ frame, community, values, errors: result.errors });
      return sendPage(response, html, { status: 400 });
    }
    if (!(await brandCommunity(needs.db, actor, result.value))) throw notFound();
    redirectDone(response, `${communityPath(community.id)}/brand`, 'brand-saved');
  });
}

interface SellerBrandPageProps extends SellerPageProps {
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
