import { formatPrice } from '../../../domain/catalogue/price.js';
import type { Sale } from '../../../domain/checkout/sales.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import { Pager } from '../../ui/parts/pager.js';
import { PlainDateTime } from '../../ui/parts/plain-time.js';
import { personInWords } from '../frame/seller-wording.js';

/** List of payments, newest first. */
export function SalesList(props: { sales: ListPage<Sale>; isFirst: boolean; path: string }) {
  const { sales, isFirst, path } = props;
  return (
    <section class="panel" aria-labelledby="payments">
      <h2 id="payments">Payments, newest first</h2>
      {sales.rows.length === 0 ? (
        <p class="empty">{isFirst ? 'There are no payments yet.' : 'There are no older payments.'}</p>
      ) : (
        <ul class="rows">
          {sales.rows.map((sale) => (
            <SaleRow sale={sale} key={sale.id} />
          ))}
        </ul>
      )}
      <Pager path={path} next={sales.next} isFirst={isFirst} first="newest" />
    </section>
  );
}

function SaleRow({ sale }: { sale: Sale }) {
  const person = personInWords(sale);
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <bdi>{person}</bdi>
        </p>
        {sale.email !== null && sale.email !== person && (
          <p class="muted">
            <bdi>{sale.email}</bdi>
          </p>
        )}
        <p class="muted">
          <PlainDateTime at={sale.createdAt} />
          {sale.planName !== null && (
            <>
              , <bdi>{sale.planName}</bdi>
            </>
          )}
        </p>
        {sale.utmSource !== null && (
          <p class="muted">
            Source: <bdi>{sale.utmSource}</bdi>
          </p>
        )}
        {sale.status === 'failed' && (
          <p class="muted">
            Payment failed: <bdi>{sale.reason?.replaceAll('_', ' ') ?? 'no reason given'}</bdi>
          </p>
        )}
      </div>
      <p class={sale.status === 'failed' ? 'tag alarm' : 'tag'}>
        {sale.status === 'failed' && 'Failed '}
        {formatPrice(sale.amountMinor, sale.currency)}
      </p>
    </li>
  );
}
