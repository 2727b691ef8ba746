import type { SignInPerson } from '@latchkey/server';
import {
  ArrowIcon,
  Avatar,
  ClientLogo,
  Notice,
  type Page,
  PlainDateTime,
  renderDocument,
} from '@latchkey/server/ui';
import { SandboxNav } from '../navigation/sandbox-nav.js';
import { PICK_PERSON_PATH } from '../people/pick-person-path.js';

/** Registered client in the list. */
export interface SandboxClient {
  clientId: string;
  name: string;
  type?: 'public' | 'confidential' | undefined;
  logoUrl?: string | null | undefined;
  widgetOrigins?: readonly string[] | undefined;
}

/** Props of {@link homePage}. */
export interface HomePageProps {
  /** The service's current time in milliseconds since the epoch. */
  serviceTime: number;
  people: readonly SignInPerson[];
  /** Email address of the user that is signed in with this browser. */
  signedInAs?: string | undefined;
  clients: readonly SandboxClient[];
  /** Demo sites that use this service. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
  /** Confirmation of the last action. */
  notice?: string | undefined;
}

/**
 * Home page of the sandbox. `POST /sandbox/clock` with `advance` = `1h` or `31d` moves the service's clock.
 * `POST /sandbox/sign-in` with `email` signs this browser in as that person.
 */
export function homePage(props: HomePageProps): Page {
  return renderDocument({
    title: 'Sandbox',
    layout: 'wide',
    headerEnd: <SandboxNav current="sandbox" />,
    children: (
      <main class="column">
        <div class="page-heading">
          <h1>Sandbox</h1>
          <p class="lead">
            A complete membership service to try sign-in against: pick a person, read their mail, move the
            clock.
          </p>
        </div>
        {props.notice !== undefined && <Notice text={props.notice} />}
        {props.shops.length > 0 && <Shops shops={props.shops} />}
        {props.forSale.length > 0 && <ForSale pages={props.forSale} />}
        <ServiceTime at={props.serviceTime} />
        <People people={props.people} signedInAs={props.signedInAs} />
        <Areas />
        <Clients clients={props.clients} />
      </main>
    ),
  });
}

function Shops(props: { shops: HomePageProps['shops'] }) {
  return (
    <section class="panel" aria-labelledby="shops">
      <h2 id="shops">Start here</h2>
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

function ServiceTime(props: { at: number }) {
  return (
    <section class="panel" aria-labelledby="clock">
      <h2 id="clock">Service time</h2>
      <div class="clock">
        <p class="clock-time">
          <PlainDateTime at={props.at} />
        </p>
        <form class="clock-buttons" method="post" action="/sandbox/clock">
          <button class="button secondary small" type="submit" name="advance" value="1h">
            +1 hour
          </button>
          <button class="button secondary small" type="submit" name="advance" value="31d">
            +31 days
          </button>
        </form>
      </div>
      <p class="muted">
        An hour ends access tokens. 31 days also end refresh tokens, and memberships that run out by then and
        do not renew.
      </p>
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
    <section class="panel" aria-labelledby="clients">
      <h2 id="clients">Registered clients</h2>
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
    </section>
  );
}
