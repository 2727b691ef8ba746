import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { type AreaRequest, areaRoutes, readId } from '../../web/kit/areas/area-routes.js';
import {
  communityPath,
  noticeOf,
  productPath,
  renderSellerPage,
  SELLER_PATH,
} from '../../web/kit/areas/seller-area.js';
import { MemberCount, Revenue, revenueLabel, roleInWords } from '../../web/kit/areas/seller-parts.js';
import type { PageProps } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ButtonLink } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { CheckList } from '../../web/kit/parts/steps.js';
import { amountColumn, ListPanel, type ShownList, shownList } from '../../web/kit/parts/table.js';
import { Count, NameLink } from '../../web/kit/parts/values.js';
import { brandRoutes } from '../brand/brand.pages.js';
import { paymentRoutes } from '../checkout/payment.pages.js';
import { type CommunityFigures, readCommunityFigures } from '../checkout/sales.js';
import { salesRoutes } from '../checkout/sales.pages.js';
import { newCommunityRoutes, overviewRoutes } from '../communities/communities.pages.js';
import { type AdministeredCommunity, listAdministered } from '../communities/community-access.js';
import { roleRoutes } from '../communities/roles.pages.js';
import { closeCommunityRoutes } from '../community-closing/close-community.pages.js';
import { dropRoutes } from '../drops/drops.pages.js';
import { invitationRoutes } from '../invitations/invitations.pages.js';
import { memberRoutes } from '../memberships/members.pages.js';
import { membershipRoutes } from '../memberships/membership.pages.js';
import { planRoutes } from '../plans/plans.pages.js';
import { listProducts, type Product } from '../products/product.queries.js';
import { productTypeInWords } from '../products/product.resource.js';
import { newProductRoutes, productRoutes } from '../products/products.pages.js';

export function sellerRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'payments'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const routes of [
    homeRoutes,
    newCommunityRoutes,
    overviewRoutes,
    closeCommunityRoutes,
    brandRoutes,
    roleRoutes,
    planRoutes,
    dropRoutes,
    memberRoutes,
    membershipRoutes,
    invitationRoutes,
    salesRoutes,
    paymentRoutes,
    newProductRoutes,
    productRoutes,
  ]) {
    router.use(routes(needs));
  }
  return router;
}

function homeRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return areaRoutes(needs, SELLER_PATH, { [SELLER_PATH]: { get: show } });

  async function show({ user, frame, query }: AreaRequest) {
    const after = readId(query.get('communities')) || undefined;
    const now = clock.now();
    const communities = await listAdministered(db, user.id, after);
    const rows: CommunityAtAGlance[] = [];
    for (const community of communities.rows) {
      rows.push({ ...community, figures: await readCommunityFigures(db, community.id, now) });
    }
    return sellerHomePage({
      frame,
      communities: { ...communities, rows, isFirst: after === undefined },
      products: await shownList(query, (afterProduct) => listProducts(db, user.id, afterProduct), 'products'),
      now,
      notice: noticeOf(query),
    });
  }
}

interface CommunityAtAGlance extends AdministeredCommunity {
  figures: CommunityFigures;
}

export function sellerHomePage(
  props: PageProps & {
    communities: ShownList<CommunityAtAGlance>;
    products: ShownList<Product>;
    now: number;
  },
): Page {
  const { communities, products, now } = props;
  const isNew = communities.rows.length === 0 && communities.isFirst;
  return renderSellerPage({
    ...props,
    title: t('Communities and products'),
    lead: t('Communities that you administer, and products that you sell.'),
    children: (
      <>
        {isNew ? <FirstSteps /> : <Communities list={communities} now={now} />}
        <Products list={products} />
      </>
    ),
  });
}

function FirstSteps() {
  return (
    <Panel heading={t('Sell memberships')} id="communities">
      <CheckList
        checks={[
          {
            id: 'create',
            title: t('Create a community'),
            text: t('It is what people become members of: a club, a course, a newsletter.'),
            action: (
              <ButtonLink kind="primary" isSmall href="/seller/communities/new" label={t('New community')} />
            ),
            isDone: false,
          },
          {
            id: 'plan',
            title: t('Add a plan'),
            text: t('Set a price and how long a payment gives access.'),
            isDone: false,
          },
          {
            id: 'share',
            title: t('Share its page'),
            text: t('Buyers pay there and become members at once.'),
            isDone: false,
          },
        ]}
      />
    </Panel>
  );
}

function Communities({ list, now }: { list: ShownList<CommunityAtAGlance>; now: number }) {
  return (
    <ListPanel
      heading={t('Communities')}
      id="communities"
      actions={
        <ButtonLink kind="primary" isSmall href="/seller/communities/new" label={t('New community')} />
      }
      list={list}
      columns={[
        {
          heading: phrase('Community'),
          cell: ({ id, name }) => <NameLink href={communityPath(id)} name={name} />,
        },
        { heading: phrase('Your role'), cell: ({ role }) => roleInWords(role) },
        {
          heading: phrase('Active members'),
          isNumeric: true,
          cell: ({ figures }) => <MemberCount members={figures.members} />,
        },
        {
          heading: phrase('Plans for sale'),
          isNumeric: true,
          cell: ({ figures }) => <Count value={figures.plansForSale} />,
        },
        {
          heading: revenueLabel(now),
          isNumeric: true,
          cell: ({ figures }) => <Revenue figures={figures} />,
        },
      ]}
      noMore={t('There are no more communities.')}
      path={SELLER_PATH}
      param="communities"
      first={phrase('first communities')}
    />
  );
}

function Products({ list }: { list: ShownList<Product> }) {
  return (
    <ListPanel
      heading={t('Products')}
      id="products"
      actions={
        list.rows.length > 0 && <ButtonLink isSmall href="/seller/products/new" label={t('New product')} />
      }
      list={list}
      columns={[
        {
          heading: phrase('Product'),
          cell: ({ id, name }) => <NameLink href={productPath(id)} name={name} />,
        },
        { heading: phrase('Type'), cell: ({ type }) => productTypeInWords(type) },
        amountColumn(
          phrase('Price'),
          ({ priceMinor: minor, currency }: Product) => minor !== null && { minor, currency },
          <span class="muted">{t('Not for sale')}</span>,
        ),
      ]}
      empty={{
        title: t('No products yet'),
        text: t('A product is sold once: an e-book, a course, a file. Its buyers keep access for life.'),
        action: { href: '/seller/products/new', label: t('New product') },
      }}
      noMore={t('There are no more products.')}
      path={SELLER_PATH}
      param="products"
      first={phrase('first products')}
    />
  );
}
