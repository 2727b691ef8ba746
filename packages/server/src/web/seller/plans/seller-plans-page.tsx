import type { PricingPlan } from '../../../domain/catalogue/pricing-plans.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Money } from '../../ui/parts/money.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { paymentInWords, periodInWords } from '../frame/seller-wording.js';

/** Props of {@link sellerPlansPage}. */
export interface SellerPlansPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Plans for sale. */
  plans: ListPage<PricingPlan>;
  archived: ListPage<PricingPlan>;
  /** True for the first page of each list. */
  isFirst: { plans: boolean; archived: boolean };
}

/** Renders the plans of a community: those for sale, and the archived ones. */
export function sellerPlansPage(props: SellerPlansPageProps): Page {
  const { community, plans, archived, isFirst } = props;
  const path = `${communityPath(community.id)}/plans`;
  const columns = columnsOf(path);
  return renderCommunityPage({
    ...props,
    section: 'plans',
    title: 'Plans',
    children: (
      <>
        <Panel
          heading="For sale"
          actions={
            <ButtonLink kind="primary" isSmall href={`${path}/new`}>
              New plan
            </ButtonLink>
          }
        >
          <Table
            label="Plans for sale"
            rows={plans.rows}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<NoPlans path={path} isFirst={isFirst.plans} />}
          />
          <Pager path={path} next={plans.next} isFirst={isFirst.plans} first="first plans" />
        </Panel>
        {(archived.rows.length > 0 || !isFirst.archived) && (
          <Panel heading="Archived" id="archived">
            <Table
              label="Archived plans"
              rows={archived.rows}
              rowKey={({ id }) => id}
              columns={[...columns.slice(0, -1), ARCHIVED, ...columns.slice(-1)]}
            />
            <Pager
              path={path}
              param="archived"
              next={archived.next}
              isFirst={isFirst.archived}
              first="first archived plans"
            />
          </Panel>
        )}
      </>
    ),
  });
}

function NoPlans({ path, isFirst }: { path: string; isFirst: boolean }) {
  if (!isFirst) return <EmptyState title="There are no more plans." />;
  return (
    <EmptyState
      title="No plans for sale"
      text="A plan is what people buy: a price, and the access that they get for it."
      action={{ href: `${path}/new`, label: 'New plan' }}
    />
  );
}

function columnsOf(path: string): Column<PricingPlan>[] {
  return [
    {
      heading: 'Plan',
      cell: ({ id, name }) => (
        <a href={`${path}/${id}`}>
          <bdi>{name}</bdi>
        </a>
      ),
      isRowHeading: true,
    },
    { heading: 'Access', cell: ({ periodDays }) => periodInWords(periodDays) },
    { heading: 'Payment', cell: (plan) => paymentInWords(plan) },
    {
      heading: 'Price',
      isNumeric: true,
      cell: ({ priceMinor, currency }) => <Money minor={priceMinor} currency={currency} />,
    },
  ];
}

const ARCHIVED: Column<PricingPlan> = {
  heading: 'Archived on',
  cell: ({ archivedAt }) => archivedAt !== null && <Time at={archivedAt} precision="date" />,
};
