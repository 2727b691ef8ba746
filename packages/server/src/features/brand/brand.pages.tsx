import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { brandControls, PREVIEW_NOTICE } from '../../web/kit/parts/brand-fields.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import { AccountField, Button } from '../../web/kit/parts/form-parts.js';
import { changeCommunity } from '../communities/communities.js';
import { brandSchema, communityBrand } from './brand.js';

export function brandRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db } = needs;
  return routesOfCommunity(needs, { '/seller/communities/:communityId/brand': { get: show, post: save } });

  async function show({ community, page }: CommunityRequest) {
    const brand = await communityBrand(db, community.id);
    if (brand === undefined) throw notFound();
    return sellerBrandPage({
      ...page,
      values: brandForm(community.name).of({ ...brand, accentChoice: brand.accent }),
    });
  }

  async function save({ actor, community, form, page, path, response }: CommunityForm) {
    const fields = brandForm(community.name);
    const values = fields.read(form);
    if (form.has('preview')) {
      return sendPage(response, sellerBrandPage({ ...page, values, notice: t(PREVIEW_NOTICE) }));
    }
    const result = fields.parse(brandSchema, form);
    if (result.kind === 'invalid') return sellerBrandPage({ ...page, values, errors: result.errors });
    await changeCommunity(db, actor, result.value);
    return doneAt(`${path}/brand`, 'brand-saved');
  }
}

function brandForm(name: string) {
  return defineForm(
    brandControls({
      name,
      logoHint: phrase(
        'Shown on your public page and at checkout. URL of a square image: https, or an image as a data: URL.',
      ),
      accentHint: phrase(
        'Buttons and links on your public page and at checkout. Links are darkened or lightened until they are readable.',
      ),
    }),
  );
}

export function sellerBrandPage(
  props: CommunityPageProps & { values: FormValues<ReturnType<typeof brandForm>> },
): Page {
  const { community } = props;
  const path = `${communityPath(community.id)}/brand`;
  return renderCommunityPage({
    ...props,
    section: 'brand',
    title: t('Brand'),
    children: (
      <form class="panel form" method="post" action={path}>
        <AccountField />
        {brandForm(community.name).fields(props)}
        <div class="form-actions">
          <Button kind="primary">{t('Save brand')}</Button>
          <Button name="preview" value="on" formaction={`${path}#accentChoice`} formNoValidate>
            {t('Preview')}
          </Button>
        </div>
      </form>
    ),
  });
}
