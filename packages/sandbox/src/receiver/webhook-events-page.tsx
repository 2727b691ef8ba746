import { Notice, type Page, PlainDateTime, renderDocument } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

/** Event in the log. Times are milliseconds since the epoch. */
export interface EventEntry {
  id: string;
  type: string;
  createdAt: number;
  /** JSON of the deliveries. */
  body: string;
  deliveries: readonly DeliveryEntry[];
}

/** Delivery of an event to one webhook. */
export interface DeliveryEntry {
  id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Null if the delivery is finished or its webhook is inactive. */
  nextAttemptAt: number | null;
  attemptCount: number;
  lastAttempt?: { statusCode: number | null; failure: string | null } | undefined;
}

/** Delivery that arrived at the built-in receiver. */
export interface ArrivalEntry {
  receivedAt: number;
  eventType: string;
  eventId: string;
  verified: boolean;
  repeated: boolean;
  /** Status of the response; null if there was none. */
  answered: number | null;
}

/** Props of {@link webhookEventsPage}. */
export interface WebhookEventsPageProps {
  /** The service's current time. */
  now: number;
  /** Newest first. */
  events: readonly EventEntry[];
  receiver: { url: string; mode: 'accept' | 'fail' | 'hang'; arrived: readonly ArrivalEntry[] };
  /** Confirmation of the last action. */
  notice?: string | undefined;
}

/** Number of deliveries listed. The page counts the others; the log below contains all of them. */
const SHOWN_ARRIVALS = 5;

const MODES = [
  ['accept', 'Accept'],
  ['fail', 'Answer 500'],
  ['hang', 'Do not answer'],
] as const;

/**
 * Log of webhook events. `POST /sandbox/webhooks/redeliver` with `delivery` sends one again;
 * `POST /sandbox/webhooks/receiver-mode` with `mode` changes the behaviour of the built-in receiver.
 */
export function webhookEventsPage(props: WebhookEventsPageProps): Page {
  return renderDocument({
    title: 'Webhook events',
    layout: 'wide',
    ...sandboxHeader('webhooks'),
    children: (
      <main class="column">
        <div class="page-heading">
          <h1>Webhook events</h1>
          <p class="lead">What the service told its integrators, and what became of it on the way.</p>
        </div>
        {props.notice !== undefined && <Notice text={props.notice} />}
        <Receiver {...props.receiver} />
        <Events events={props.events} now={props.now} />
      </main>
    ),
  });
}

function Receiver({ url, mode, arrived }: WebhookEventsPageProps['receiver']) {
  const more = arrived.length - SHOWN_ARRIVALS;
  return (
    <section class="panel" aria-labelledby="receiver">
      <h2 id="receiver">Built-in receiver</h2>
      <p>
        The sandbox’s webhooks lead to <code>{url}</code>. It verifies signatures as an integrator does, and
        answers as you tell it to.
      </p>
      <form
        class="panel-actions"
        method="post"
        action="/sandbox/webhooks/receiver-mode"
        aria-label="How the receiver answers"
      >
        {MODES.map(([value, label]) => (
          <button
            class={`button small ${value === mode ? 'primary' : 'secondary'}`}
            type="submit"
            name="mode"
            value={value}
            aria-pressed={value === mode ? 'true' : 'false'}
            key={value}
          >
            {label}
          </button>
        ))}
      </form>
      {arrived.length === 0 ? (
        <p class="empty">Nothing has arrived yet.</p>
      ) : (
        <ul class="rows arrivals">
          {arrived.slice(0, SHOWN_ARRIVALS).map((arrival, index) => (
            <Arrival arrival={arrival} key={index} />
          ))}
        </ul>
      )}
      {more > 0 && <p class="muted">And {more} before.</p>}
    </section>
  );
}

function Arrival({ arrival }: { arrival: ArrivalEntry }) {
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <code>{arrival.eventType === '' ? 'no type' : arrival.eventType}</code>
        </p>
        <p class="muted">
          <PlainDateTime at={arrival.receivedAt} seconds />
          {arrival.answered === null ? ', not answered' : `, answered ${arrival.answered}`}
        </p>
      </div>
      {arrival.repeated && <span class="tag quiet">seen before</span>}
      <span class={arrival.verified ? 'tag' : 'tag alarm'}>
        {arrival.verified ? 'signature verified' : 'wrong signature'}
      </span>
    </li>
  );
}

function Events(props: Pick<WebhookEventsPageProps, 'events' | 'now'>) {
  return (
    <section class="panel" aria-labelledby="events">
      <h2 id="events">Events</h2>
      {props.events.length === 0 ? (
        <p class="empty">Nothing has happened yet. Buy or provision a membership, then reload this page.</p>
      ) : (
        <ul class="rows">
          {props.events.map((event) => (
            <Event event={event} now={props.now} key={event.id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Event({ event, now }: { event: EventEntry; now: number }) {
  return (
    <li class="event">
      <p class="event-heading">
        <code class="event-type">{event.type}</code>
        <span class="muted">
          <PlainDateTime at={event.createdAt} seconds />
        </span>
      </p>
      {event.deliveries.length === 0 ? (
        <p class="muted">No webhook hears it.</p>
      ) : (
        <ul class="deliveries">
          {event.deliveries.map((delivery) => (
            <Delivery delivery={delivery} now={now} key={delivery.id} />
          ))}
        </ul>
      )}
      <details>
        <summary>
          What is sent<span class="visually-hidden">: event {event.id}</span>
        </summary>
        <pre class="json">{pretty(event.body)}</pre>
      </details>
    </li>
  );
}

function Delivery({ delivery, now }: { delivery: DeliveryEntry; now: number }) {
  const { status, attemptCount, lastAttempt, nextAttemptAt } = delivery;
  const isLater = status === 'pending' && nextAttemptAt !== null && nextAttemptAt > now;
  return (
    <li class="delivery">
      <div class="row-text">
        <p class="delivery-url">{delivery.url}</p>
        <p class="muted">
          {timesTried(attemptCount)}
          {lastAttempt !== undefined && ` ${lastAttempt.failure ?? `Answered ${lastAttempt.statusCode}.`}`}
          {isLater && (
            <>
              {' Next try: '}
              <PlainDateTime at={nextAttemptAt} seconds />.
            </>
          )}
        </p>
      </div>
      <DeliveryState delivery={delivery} isLater={isLater} />
      <form method="post" action="/sandbox/webhooks/redeliver">
        <input type="hidden" name="delivery" value={delivery.id} />
        <button class="button secondary small" type="submit">
          Send again<span class="visually-hidden"> to {delivery.url}</span>
        </button>
      </form>
    </li>
  );
}

function timesTried(count: number): string {
  if (count === 0) return 'Not tried yet.';
  return count === 1 ? 'Tried once.' : `Tried ${count} times.`;
}

function DeliveryState({ delivery, isLater }: { delivery: DeliveryEntry; isLater: boolean }) {
  const { status, nextAttemptAt } = delivery;
  if (status === 'delivered') return <span class="tag">delivered</span>;
  if (status === 'failed') return <span class="tag alarm">given up</span>;
  if (nextAttemptAt === null) return <span class="tag quiet">held: its webhook is off or paused</span>;
  return <span class="tag quiet">{isLater ? 'waiting' : 'on its way'}</span>;
}

/** Returns JSON with line breaks. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
