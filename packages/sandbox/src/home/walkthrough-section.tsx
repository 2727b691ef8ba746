import {
  ArrowIcon,
  Button,
  ButtonLink,
  type Check,
  CheckList,
  Panel,
  type Step,
  Steps,
  Time,
} from '@latchkey/server/ui';
import type { ComponentChildren } from 'preact';
import { SAMPLE_SITE_PATH } from '../preview/preview-page.js';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import type { WalkthroughProgress } from './walkthrough-progress.js';

/** The pages that the steps of the walkthrough lead to. */
export interface WalkthroughPlaces extends Pick<SandboxGuide, 'demo' | 'shops' | 'forSale'> {
  /** True if the sample site works: it needs the client of the sample data. */
  readonly hasSampleSite: boolean;
  /** True if Ben is among the people, and a button can join as him. */
  readonly hasBen: boolean;
}

/** The five steps of the walkthrough, from sign-in to the end of access. A finished step shows what completed it. */
export function WalkthroughSection(props: { progress: WalkthroughProgress; places: WalkthroughPlaces }) {
  const checks = checksOf(props.progress, props.places);
  const count = checks.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      heading="What has happened"
      actions={
        <span class="muted" id="walkthrough-count" role="status" data-live>
          {count === checks.length ? 'All 5 done' : `${count} of 5 done`}
        </span>
      }
      id="walkthrough"
    >
      <CheckList id="walkthrough-checks" checks={checks} />
    </Panel>
  );
}

function checksOf(progress: WalkthroughProgress, places: WalkthroughPlaces): readonly Check[] {
  const { signIn, purchase, gate, webhook, ended } = progress;
  return [
    {
      id: 'sign-in',
      title: 'Sign in',
      isDone: signIn !== undefined,
      text: signIn ? (
        <>
          <bdi>{signIn.person}</bdi> signed in at <bdi>{signIn.client}</bdi>.{' '}
          <EntryLink id={signIn.requestId}>See the exchange of the code</EntryLink>
        </>
      ) : (
        `Open the ${places.demo === undefined ? 'site' : 'shop'} and pick a person.`
      ),
    },
    {
      id: 'buy',
      title: 'Buy a membership',
      isDone: purchase !== undefined,
      text: purchase ? (
        <>
          <bdi>{purchase.buyer}</bdi> bought <bdi>{purchase.item}</bdi> on <Time at={purchase.paidAt} isUtc />
          . <EntryLink id={purchase.requestId}>See the payment</EntryLink>
        </>
      ) : (
        'As Ben, who has none. The button signs out whoever is signed in here. Pay with the test card.'
      ),
      action: joinAction(places),
    },
    {
      id: 'gate',
      title: 'The gate opens',
      isDone: gate !== undefined,
      text: gate ? (
        <>
          <bdi>{gate.client}</bdi> asked for the memberships and received the new one.{' '}
          <EntryLink id={gate.requestId}>See the answer</EntryLink>
        </>
      ) : (
        'Back at the site, the members’ part opens.'
      ),
      action: <GateLink places={places} />,
    },
    {
      id: 'webhook',
      title: 'The webhook arrives',
      isDone: webhook !== undefined,
      text: webhook ? (
        <>
          <code>{webhook.type}</code> was delivered to <bdi>{webhook.url}</bdi>
        </>
      ) : (
        'The service sends your backend a signed event about the membership.'
      ),
      action: (
        <a
          id="to-webhooks"
          href={webhook === undefined ? '/sandbox/webhooks' : `/sandbox/webhooks?${idQuery(webhook.eventId)}`}
        >
          See the deliveries
        </a>
      ),
    },
    {
      id: 'end',
      title: 'Access ends',
      isDone: ended !== undefined,
      text: ended ? (
        <>
          It ended on <Time at={ended.at} isUtc />. The members’ page is closed again.
        </>
      ) : (
        'Once a membership is bought, a button here cancels it, lets it end in five minutes, and moves the clock there.'
      ),
      action: purchase !== undefined && ended === undefined && (
        <form method="post" action="/sandbox/clock" data-at-once>
          <input type="hidden" name="end" value={purchase.membershipId} />
          <Button isSmall id="end-access">
            End access now
          </Button>
        </form>
      ),
    },
  ];
}

/** The button that signs in as Ben and leads to the shop, or to the plans on sale. Without Ben, a link to there. */
function joinAction({ forSale, hasBen, demo }: WalkthroughPlaces): ComponentChildren {
  if (hasBen && (demo !== undefined || forSale.length > 0)) {
    return (
      <form method="post" action={JOIN_PATH} target="_blank" rel="noopener" data-at-once>
        <Button isSmall id="to-buy">
          Join as {firstNameOf(sandboxScenario.users.ben.name)}
          <span class="visually-hidden"> (opens in a new tab)</span>
        </Button>
      </form>
    );
  }
  return (
    forSale[0] !== undefined && (
      <a id="to-buy" href={forSale[0].url}>
        Choose a plan
      </a>
    )
  );
}

export const JOIN_PATH = '/sandbox/join';

/** A link to a page with a part for members: in the demo shop, on the sample site or on your own site. */
function GateLink({ places: { demo, shops, hasSampleSite } }: { places: WalkthroughPlaces }) {
  const own = hasSampleSite ? SAMPLE_SITE_PATH : shops[0]?.url;
  const href = demo?.signIn ?? own;
  const text = hasSampleSite ? 'Open the sample site' : 'Open your site';
  return (
    href !== undefined && (
      <OutsideLink id="to-gate" href={href}>
        {demo === undefined ? text : 'Open the members’ page'}
      </OutsideLink>
    )
  );
}

function EntryLink({ id, children }: { id: string | undefined; children: ComponentChildren }) {
  return id === undefined ? null : <a href={`/sandbox/requests?${idQuery(id)}`}>{children}</a>;
}

function idQuery(id: string): URLSearchParams {
  return new URLSearchParams({ id });
}

/** A link to another site. It opens in a new tab, so this page stays open. */
function OutsideLink({ id, href, children }: { id: string; href: string; children: string }) {
  return (
    <a id={id} href={href} target="_blank" rel="noopener">
      <Outside text={children} />
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

/** Instructions for the first two minutes. The first one has the page's only primary button. */
export function StartSteps({ places }: { places: WalkthroughPlaces }) {
  const { ada, ben } = sandboxScenario.users;
  const gate = places.demo === undefined ? 'the part for members' : 'the table';
  return (
    <Panel>
      <Steps
        steps={[
          siteStep(places),
          {
            id: 'sign-in',
            title: `Sign in as ${firstNameOf(ada.name)}`,
            text: `Pick ${ada.name}: her membership opens ${gate}. ${ben.name} has none, and can join with a test card.`,
          },
          {
            id: 'clock',
            title: 'Move the clock',
            text: 'Memberships renew and end, codes and tokens expire, within a second.',
            action: <ButtonLink id="to-clock" href="#clock" label="Choose a time" />,
          },
        ]}
      />
    </Panel>
  );
}

/** Returns the first step: the demo shop, else your own site with the sample site until it runs, else the sign-in page. */
function siteStep({ demo, shops, hasSampleSite }: WalkthroughPlaces): Step {
  const site = shops[0];
  if (demo !== undefined) {
    return {
      id: 'shop',
      title: 'Open the shop',
      text: 'A demo coffee shop. Its members’ table asks you to sign in.',
      action: <OpenButton href={demo.gate} text="Open the shop" />,
    };
  }
  if (hasSampleSite) {
    return {
      id: 'shop',
      title: 'Open your site',
      text: (
        <>
          A sample is built in: a page with a sign-in and a part for members.
          {site !== undefined && (
            <>
              {' '}
              Your own is <a href={site.url}>{site.url}</a>, once it runs.
            </>
          )}
        </>
      ),
      action: <OpenButton href={SAMPLE_SITE_PATH} text="Open the sample site" />,
    };
  }
  return {
    id: 'shop',
    title: 'Open the sign-in page',
    text: 'It lists the test people below.',
    action: <ButtonLink kind="primary" id="to-shop" href="/sign-in" label="Open the sign-in page" />,
  };
}

function OpenButton({ href, text }: { href: string; text: string }) {
  return (
    <ButtonLink kind="primary" id="to-shop" href={href} target="_blank" rel="noopener">
      <Outside text={text} />
      <span class="visually-hidden"> (opens in a new tab)</span>
    </ButtonLink>
  );
}

function firstNameOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** Text of a link that leaves the page. Its arrow stays next to the last word. */
export function Outside({ text }: { text: string }) {
  const start = text.lastIndexOf(' ') + 1;
  return (
    <span>
      {text.slice(0, start)}
      <span class="goes-out">
        {text.slice(start)}
        <ArrowIcon />
      </span>
    </span>
  );
}
