import type { SignInPerson } from '@latchkey/server';
import { AlertIcon, ArrowIcon, Avatar, ClientLogo, type Page, renderDocument } from '@latchkey/server/ui';
import type { ClockMove } from '../control/timeline/timeline.js';
import { LIVE_SCRIPT_PATH } from '../navigation/live-script.js';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { PICK_PERSON_PATH } from '../people/pick-person-path.js';
import { type ClockProps, ClockSection, MoveResult } from './clock-section.js';
import type { LoopProgress } from './loop-progress.js';
import { type LoopPlaces, LoopSection } from './loop-section.js';
import { type PasteProps, PasteSection } from './paste-section.js';

/** Registered client in the list. */
export interface SandboxClient {
  clientId: string;
  name: string;
  type?: 'public' | 'confidential' | undefined;
  logoUrl?: string | null | undefined;
  widgetOrigins?: readonly string[] | undefined;
}

/** Props of {@link homePage}. */
export interface HomePageProps extends ClockProps, PasteProps {
  readonly progress: LoopProgress;
  /** Pages of the demo shop; absent without the demo. */
  readonly demo?: LoopPlaces['demo'];
  people: readonly SignInPerson[];
  /** Email address of the user that is signed in with this browser. */
  signedInAs?: string | undefined;
  clients: readonly SandboxClient[];
  /** Demo sites that use this service. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
  /** True if other machines can reach the sandbox. */
  readonly isPublic?: boolean;
  /** Newest move of the clock, shown after it. */
  readonly moved?: ClockMove | undefined;
  /** Number of faults that can still change calls or deliveries. */
  readonly activeFaults?: number;
  /** True if a button could not move the clock. */
  readonly refused?: boolean;
}

/**
 * Front page of the sandbox: the loop from sign-in to the end of access, and what one needs for an own site.
 * `POST /sandbox/clock` moves the service's clock. `POST /sandbox/sign-in` with `email` signs this browser in as that person.
 */
export function homePage(props: HomePageProps): Page {
  const { progress, demo, shops, forSale } = props;
  return renderDocument({
    title: 'Sandbox',
    layout: 'wide',
    scripts: [LIVE_SCRIPT_PATH],
    ...sandboxHeader('sandbox'),
    children: (
      <main class="column guide">
        <div class="page-heading">
          <h1>See a membership sold, used and ended</h1>
          <p class="lead">Five steps in a minute. Then take the values into your own site.</p>
        </div>
        {props.isPublic === true && <PublicWarning />}
        <div id="active-faults" data-live>
          {(props.activeFaults ?? 0) > 0 && <FaultNotice count={props.activeFaults ?? 0} />}
        </div>
        {props.refused === true && <NotMoved />}
        {props.moved !== undefined && <MoveResult move={props.moved} />}
        <div class="guide-columns">
          <div class="guide-main">
            <LoopSection progress={progress} places={{ ...(demo && { demo }), shops, forSale }} />
            <ClockSection serviceTime={props.serviceTime} presets={props.presets} />
          </div>
          <PasteSection values={props.values} snippets={props.snippets} />
        </div>
        <p class="visually-hidden" id="copied" role="status" />
        <People people={props.people} signedInAs={props.signedInAs} />
        {shops.length > 0 && <Shops shops={shops} />}
        {forSale.length > 0 && <ForSale pages={forSale} />}
        <Areas />
        <Clients clients={props.clients} />
      </main>
    ),
  });
}

function PublicWarning() {
  return (
    <div class="warning">
      <AlertIcon />
      <div>
        <strong>Other machines can reach this sandbox.</strong>
        <p>
          Whoever opens it can sign in as any of its people, and reads these keys and secrets. Use test data
          only. The control token is not shown here: it stands in the output of the command.
        </p>
      </div>
    </div>
  );
}

function FaultNotice({ count }: { count: number }) {
  return (
    <div class="warning" role="status">
      <AlertIcon />
      <div>
        <strong>{count === 1 ? 'A fault is active.' : `${count} faults are active.`}</strong>
        <p>
          Calls or deliveries fail on purpose. <a href="/sandbox/faults">Show and clear faults</a>
        </p>
      </div>
    </div>
  );
}

function NotMoved() {
  return (
    <p class="notice refusal" role="status">
      <AlertIcon />
      <span>
        The clock did not move: nothing of this kind is ahead, or it would be more than ten years ahead.
      </span>
    </p>
  );
}

function Shops(props: { shops: HomePageProps['shops'] }) {
  return (
    <section class="panel" aria-labelledby="shops">
      <h2 id="shops">Sites that use this service</h2>
      <ul class="tiles">
        {props.shops.map((shop) => (
          <li key={shop.url}>
            <a class="tile" href={shop.url}>
              <span class="tile-title">
                {shop.label}
                <ArrowIcon />
              </span>
              <span class="muted">{shop.url}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ForSale(props: { pages: HomePageProps['forSale'] }) {
  return (
    <section class="panel" aria-labelledby="for-sale">
      <h2 id="for-sale">For sale here, with test cards</h2>
      <ul class="tiles">
        {props.pages.map(({ label, url }) => (
          <li key={url}>
            <a class="tile" href={url}>
              <span class="tile-title">{label}</span>
              <span class="muted">{url.startsWith('/products/') ? 'A product' : 'Plans of a community'}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function People(props: Pick<HomePageProps, 'people' | 'signedInAs'>) {
  return (
    <section class="panel" aria-labelledby="people">
      <h2 id="people">People to sign in as</h2>
      <ul class="rows">
        {props.people.map((user) => (
          <li class="row" key={user.email}>
            <Avatar name={user.name} />
            <div class="row-text">
              <p class="row-title">
                <bdi>{user.name}</bdi>
                {user.email === props.signedInAs && <span class="tag">signed in</span>}
              </p>
              <p class="muted">{user.note}</p>
            </div>
            <p class="row-end muted">
              <bdi>{user.email}</bdi>
            </p>
            {user.email !== props.signedInAs && (
              <form method="post" action={PICK_PERSON_PATH}>
                <input type="hidden" name="email" value={user.email} />
                <input type="hidden" name="continue" value="/sandbox" />
                <button class="button secondary small" type="submit">
                  Sign in<span class="visually-hidden"> as {user.name}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const AREAS = [
  { href: '/account', title: 'Account', text: 'Memberships, apps with access, where one is signed in.' },
  { href: '/developer', title: 'Developer', text: 'API keys, apps and webhooks. Dana has some of each.' },
  {
    href: '/seller',
    title: 'Seller',
    text: 'Communities, plans, drops, members and products. Dana’s are filled.',
  },
  {
    href: '/reference',
    title: 'API reference',
    text: 'Every endpoint with its rules, examples to copy, and a viewer to try them in.',
  },
];

function Areas() {
  return (
    <section class="panel" aria-labelledby="areas">
      <h2 id="areas">What people do at the service</h2>
      <ul class="tiles">
        {AREAS.map(({ href, title, text }) => (
          <li key={href}>
            <a class="tile" href={href}>
              <span class="tile-title">{title}</span>
              <span class="muted">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Clients(props: { clients: readonly SandboxClient[] }) {
  return (
    <details class="panel fold-panel">
      <summary>
        <h2 id="clients">Registered clients</h2>
      </summary>
      <ul class="rows">
        {props.clients.map((client) => (
          <li class="row" key={client.clientId}>
            <ClientLogo name={client.name} logoUrl={client.logoUrl} size="small" />
            <div class="row-text">
              <p class="row-title">
                <bdi>{client.name}</bdi>
                {client.type !== undefined && <span class="tag">{client.type}</span>}
              </p>
              <p class="muted">
                <code>{client.clientId}</code>
              </p>
              {client.widgetOrigins !== undefined && client.widgetOrigins.length > 0 && (
                <p class="muted">Widget on {client.widgetOrigins.join(', ')}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
