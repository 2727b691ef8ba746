import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { PlainDateTime } from '../../ui/parts/plain-time.js';
import { Snippet } from '../../ui/parts/secret-field.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { type DeliveryAttempt, DeliveryTag, type ListedDelivery } from './webhook-delivery.js';

/** Props of {@link developerDeliveryPage}. */
export interface DeveloperDeliveryPageProps {
  frame: AreaFrame;
  delivery: ListedDelivery & {
    /** Exact JSON body of the request. */
    body: string;
    /** Newest first. */
    attempts: readonly DeliveryAttempt[];
  };
  notice?: string | undefined;
}

/** Renders a delivery with its body and attempts. `POST /developer/webhooks/deliveries/{id}/redeliver` sends it again. */
export function developerDeliveryPage(props: DeveloperDeliveryPageProps): Page {
  const { frame, delivery } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/webhooks',
    title: 'Delivery',
    heading: <code>{delivery.type}</code>,
    parent: { href: `/developer/webhooks/${delivery.webhookId}`, label: 'The webhook' },
    notice: props.notice,
    children: (
      <>
        <section class="panel" aria-labelledby="delivery">
          <div class="panel-heading">
            <h2 id="delivery">Delivery</h2>
            <DeliveryTag status={delivery.status} />
          </div>
          <DeliveryFacts delivery={delivery} />
          <form
            class="panel-actions"
            method="post"
            action={`/developer/webhooks/deliveries/${delivery.id}/redeliver`}
          >
            <AccountField account={frame.account} />
            <button class="button secondary small" type="submit">
              Send again
            </button>
            <span class="muted">Sends the same event with the same id.</span>
          </form>
        </section>
        <section class="panel" aria-labelledby="attempts">
          <h2 id="attempts">Attempts</h2>
          <Attempts attempts={delivery.attempts} />
        </section>
        <section class="panel" aria-labelledby="body">
          <h2 id="body">Body</h2>
          <Snippet label="Body, byte for byte" text={delivery.body} wraps />
        </section>
      </>
    ),
  });
}

function Attempts(props: { attempts: readonly DeliveryAttempt[] }) {
  if (props.attempts.length === 0) return <p class="empty">There are no attempts yet.</p>;
  return (
    <ul class="rows">
      {props.attempts.map(({ attemptedAt, durationMs, statusCode, failure }) => (
        <li class="row" key={attemptedAt}>
          <div class="row-text">
            <p>
              <PlainDateTime at={attemptedAt} />
            </p>
            <p class="muted">
              {failure ?? 'Delivered.'} Duration: {durationMs} ms.
            </p>
          </div>
          <p class={failure === null ? 'tag' : 'tag alarm'}>{statusCode ?? 'no response'}</p>
        </li>
      ))}
    </ul>
  );
}

function DeliveryFacts({ delivery }: Pick<DeveloperDeliveryPageProps, 'delivery'>) {
  return (
    <dl class="facts">
      <dt>Event id</dt>
      <dd>
        <code class="copied">{delivery.eventId}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <PlainDateTime at={delivery.createdAt} />
      </dd>
      {delivery.status === 'pending' && (
        <>
          <dt>Next attempt</dt>
          <dd>
            {delivery.nextAttemptAt === null ? (
              'When the webhook is active again'
            ) : (
              <PlainDateTime at={delivery.nextAttemptAt} />
            )}
          </dd>
        </>
      )}
    </dl>
  );
}
