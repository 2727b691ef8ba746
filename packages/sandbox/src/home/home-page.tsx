import { AlertIcon, type Page, Panel } from '@latchkey/server/ui';
import type { ComponentChildren } from 'preact';
import type { ClockMove } from '../control/timeline/timeline.js';
import { LIVE_SCRIPT } from '../navigation/live-script.js';
import { sandboxPage } from '../navigation/sandbox-nav.js';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import {
  type ClockProps,
  ClockSection,
  MoveResult,
  type PasteProps,
  PasteSection,
  People,
  type PeopleProps,
} from './home-panels.js';
import type { WalkthroughProgress } from './walkthrough-progress.js';
import { Outside, StartSteps, type WalkthroughPlaces, WalkthroughSection } from './walkthrough-section.js';

export interface HomePageProps extends ClockProps, PasteProps, PeopleProps {
  readonly progress: WalkthroughProgress;
  /** Pages of the demo shop; absent without the demo. */
  readonly demo?: WalkthroughPlaces['demo'];
  readonly hasSampleSite?: boolean;
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
  /** True if other machines can reach the sandbox. */
  readonly isPublic?: boolean;
  /** The newest move of the clock, shown right after it. */
  readonly moved?: ClockMove | undefined;
  /** Number of faults that can still change calls or deliveries. */
  readonly activeFaults?: number;
  readonly refused?: boolean;
}

/**
 * The sandbox's front page: three steps to try, what has happened so far, and what your own site needs.
 * `POST /sandbox/clock` moves the service's clock. `POST /sandbox/sign-in` with `email` signs this browser in as that
 * person.
 */
export function homePage(props: HomePageProps): Page {
  const { progress, demo, shops, forSale } = props;
  const places = {
    ...(demo && { demo }),
    ...{ shops, forSale, hasSampleSite: props.hasSampleSite === true },
    hasBen: props.people.some(({ email }) => email === sandboxScenario.users.ben.email),
  };
  return sandboxPage({
    title: 'Sandbox',
    heading: 'Try a membership in three steps',
    lead: `${WHAT} Here are test people, test cards and a clock that you move.`,
    look: 'console home',
    scripts: [LIVE_SCRIPT.path],
    current: 'sandbox',
    children: (
      <>
        {props.isPublic === true && <PublicWarning />}
        <div id="active-faults" data-live>
          {(props.activeFaults ?? 0) > 0 && <FaultNotice count={props.activeFaults ?? 0} />}
        </div>
        {props.refused === true && <NotMoved />}
        {props.moved !== undefined && <MoveResult move={props.moved} />}
        <StartSteps places={places} />
        <details class="fold" id="for-whom">
          <summary>Is Latchkey for you?</summary>
          <ul>
            {FOR_WHOM.map(([who, what]) => (
              <li key={who}>
                <strong>{who}.</strong> {what}
              </li>
            ))}
          </ul>
          <p>{NOT_FOR}</p>
        </details>
        <div class="home-columns">
          <div class="home-main">
            <WalkthroughSection progress={progress} places={places} />
            <ClockSection serviceTime={props.serviceTime} presets={props.presets} />
          </div>
          <PasteSection values={props.values} snippets={props.snippets} />
        </div>
        <People people={props.people} signedInAs={props.signedInAs} />
        {shops.length > 0 && (
          <Panel heading="Sites that use this service" id="shops">
            <Tiles
              tiles={shops.map(({ label, url }) => ({
                href: url,
                title: <Outside text={label} />,
                text: url,
              }))}
            />
          </Panel>
        )}
        {forSale.length > 0 && (
          <Panel heading="For sale, with test cards" id="for-sale">
            <Tiles
              tiles={forSale.map(({ label, url }) => ({
                href: url,
                title: label,
                text: url.startsWith('/products/') ? 'A product' : 'Plans of a community',
              }))}
            />
          </Panel>
        )}
        <Panel heading="Pages of the service" id="areas">
          <Tiles tiles={AREAS} />
        </Panel>
      </>
    ),
  });
}

/** What Latchkey is, and for whom, in the README's words. */
export const WHAT =
  'Latchkey puts membership sign-in on a website: a login button, parts that only members see, and a backend kit that checks who they are.';
export const FOR_WHOM = [
  [
    'You sell through the live service',
    'For you. The kits call that service, which another company runs; you build and test against a sandbox on your own machine.',
  ],
  [
    'You have no such service',
    'For you if you host the server of this repository yourself: Node, SQLite or PostgreSQL, a domain with TLS, a mail server, and Stripe for payments.',
  ],
  ['You only want to look', 'For you: npm start needs no account, and everything runs on your machine.'],
] as const;
export const NOT_FOR =
  'Not for you if you need OpenID Connect, social logins or a login without memberships.';

function PublicWarning() {
  return (
    <div class="warning">
      <AlertIcon />
      <div>
        <strong>Other machines can reach this sandbox.</strong>
        <p>
          Everyone who opens it can sign in as any of its people and read these keys and secrets. Use test
          data only. The control token is not shown here. The command printed it.
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

function Tiles(props: { tiles: readonly { href: string; title: ComponentChildren; text: string }[] }) {
  return (
    <ul class="tiles">
      {props.tiles.map(({ href, title, text }) => (
        <li key={href}>
          <a class="tile" href={href}>
            <span class="tile-title">{title}</span>
            <span class="muted">{text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const AREAS = [
  { href: '/account', title: 'Account', text: 'Memberships, connected apps and sessions.' },
  { href: '/developer', title: 'Developer', text: 'API keys, apps and webhooks. Sign in as Dana.' },
  {
    href: '/seller',
    title: 'Seller',
    text: 'Communities, plans, drops, members and products. Sign in as Dana.',
  },
  {
    href: '/reference',
    title: 'API reference',
    text: 'Every endpoint with its rules, examples and a viewer.',
  },
];
