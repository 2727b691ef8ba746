import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listProducts, type Product } from '../../../domain/catalogue/products.js';
import { type CommunityFigures, readCommunityFigures } from '../../../domain/checkout/community-figures.js';
import {
  type AdministeredCommunity,
  listAdministered,
} from '../../../domain/communities/community-access.js';
import { type ListPage, readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaPage } from '../../sign-in/area-route.js';
import { renderAreaPage } from '../../ui/frame/area-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Count, Money } from '../../ui/parts/money.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { CheckList } from '../../ui/parts/steps.js';
import { Table } from '../../ui/parts/table.js';
import { MemberCount, Revenue, revenueLabel } from '../frame/figures.js';
import { noticeOf } from '../frame/seller-notices.js';
import type { SellerPageProps } from '../frame/seller-page.js';
import { communityPath, productPath, SELLER_PATH } from '../frame/seller-paths.js';
import { readId } from '../frame/seller-request.js';
import { SELLER_HOME, SELLER_SECTIONS } from '../frame/seller-sections.js';
import { productTypeInWords, roleInWords } from '../frame/seller-wording.js';

/** Route of the start page of the seller area. */
export function homeRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(SELLER_PATH).get(showHome(needs)).all(methodNotAllowed('GET'));
  return router;
}

function showHome(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const query = requestQuery(request);
    const afterCommunity = readId(query.get('communities') ?? undefined) || undefined;
    const afterProduct = readPosition(query.get('products'));
    const now = clock.now();
    const communities = await listAdministered(db, user.id, afterCommunity);
    const rows: CommunityAtAGlance[] = [];
    for (const community of communities.rows) {
      rows.push({ ...community, figures: await readCommunityFigures(db, community.id, now) });
    }
    const html = sellerHomePage({
      frame,
      communities: { ...communities, rows },
      products: await listProducts(db, user.id, afterProduct),
      isFirst: { communities: afterCommunity === undefined, products: afterProduct === undefined },
      now,
      notice: noticeOf(request),
    });
    sendPage(response, html);
  });
}

interface CommunityAtAGlance extends AdministeredCommunity {
  figures: CommunityFigures;
}

interface SellerHomePageProps extends SellerPageProps {
  communities: ListPage<CommunityAtAGlance>;
  products: ListPage<Product>;
  isFirst: { communities: boolean; products: boolean };
  /** Milliseconds since the epoch. */
  now: number;
}

/** Renders the user's communities with their figures, and the user's products. */
export function sellerHomePage(props: SellerHomePageProps): Page {
  const isNew = props.communities.rows.length === 0 && props.isFirst.communities;
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: SELLER_SECTIONS,
    section: SELLER_HOME.href,
    title: 'Communities and products',
    lead: 'Communities that you administer, and products that you sell.',
    notice: props.notice,
    children: (
      <>
        {isNew ? <FirstSteps /> : <Communities {...props} />}
        <Products {...props} />
      </>
    ),
  });
}

function FirstSteps() {
  return (
    <Panel heading="Sell memberships" id="communities">
      <CheckList
        checks={[
          {
            id: 'create',
            title: 'Create a community',
            text: 'It is what people become members of: a club, a course, a newsletter.',
            action: (
              <ButtonLink kind="primary" isSmall href="/seller/communities/new">
                New community
              </ButtonLink>
            ),
            isDone: false,
          },
          {
            id: 'plan',
            title: 'Add a plan',
            text: 'Set a price and how long a payment gives access.',
            isDone: false,
          },
          {
            id: 'share',
            title: 'Share its page',
            text: 'Buyers pay there and become members at once.',
            isDone: false,
          },
        ]}
      />
    </Panel>
  );
}

function Communities({ communities, isFirst, now }: SellerHomePageProps) {
  return (
    <Panel
      heading="Communities"
      id="communities"
      actions={
        <ButtonLink kind="primary" isSmall href="/seller/communities/new">
          New community
        </ButtonLink>
      }
    >
      <Table
        label="Communities"
        rows={communities.rows}
        rowKey={({ id }) => id}
        columns={[
          {
            heading: 'Community',
            cell: ({ id, name }) => (
              <a href={communityPath(id)}>
                <bdi>{name}</bdi>
              </a>
            ),
            isRowHeading: true,
          },
          { heading: 'Your role', cell: ({ role }) => roleInWords(role) },
          {
            heading: 'Active members',
            isNumeric: true,
            cell: ({ figures }) => <MemberCount members={figures.members} />,
          },
          {
            heading: 'Plans for sale',
            isNumeric: true,
            cell: ({ figures }) => <Count value={figures.plansForSale} />,
          },
          {
            heading: revenueLabel(now),
            isNumeric: true,
            cell: ({ figures }) => <Revenue figures={figures} />,
          },
        ]}
        empty={<EmptyState title="There are no more communities." />}
      />
      <Pager
        path={SELLER_HOME.href}
        param="communities"
        next={communities.next}
        isFirst={isFirst.communities}
        first="first communities"
      />
    </Panel>
  );
}

function Products({ products, isFirst }: SellerHomePageProps) {
  return (
    <Panel
      heading="Products"
      id="products"
      actions={
        products.rows.length > 0 && (
          <ButtonLink isSmall href="/seller/products/new">
            New product
          </ButtonLink>
        )
      }
    >
      <Table
        label="Products"
        rows={products.rows}
        rowKey={({ id }) => id}
        columns={[
          {
            heading: 'Product',
            cell: ({ id, name }) => (
              <a href={productPath(id)}>
                <bdi>{name}</bdi>
              </a>
            ),
            isRowHeading: true,
          },
          { heading: 'Type', cell: ({ type }) => productTypeInWords(type) },
          {
            heading: 'Price',
            isNumeric: true,
            cell: ({ price }) =>
              price === null ? (
                <span class="muted">Not for sale</span>
              ) : (
                <Money minor={price.priceMinor} currency={price.currency} />
              ),
          },
        ]}
        empty={
          isFirst.products ? (
            <EmptyState
              title="No products yet"
              text="A product is sold once: an e-book, a course, a file. Its buyers keep access for life."
              action={{ href: '/seller/products/new', label: 'New product' }}
            />
          ) : (
            <EmptyState title="There are no more products." />
          )
        }
      />
      <Pager
        path={SELLER_HOME.href}
        param="products"
        next={products.next}
        isFirst={isFirst.products}
        first="first products"
      />
    </Panel>
  );
}
