import {
  ArrowIcon,
  Button,
  ButtonLink,
  type Check,
  CheckList,
  Panel,
  Steps,
  Time,
} from '@latchkey/server/ui';
import type { ComponentChildren } from 'preact';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import type { WalkthroughProgress } from './walkthrough-progress.js';

/** Pages to which the steps of the walkthrough lead. */
export type WalkthroughPlaces = Pick<SandboxGuide, 'demo' | 'shops' | 'forSale'>;

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
  const site = places.demo?.gate ?? places.shops[0]?.url;
  return [
    signInCheck(signIn),
    buyCheck(purchase, places),
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
        'Back at the shop, the members’ page opens.'
      ),
      action: site !== undefined && (
        <OutsideLink id="to-gate" href={site}>
          Open the members’ page
        </OutsideLink>
      ),
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
    endCheck(purchase, ended),
  ];
}

function signInCheck(signIn: WalkthroughProgress['signIn']): Check {
  return {
    id: 'sign-in',
    title: 'Sign in',
    isDone: signIn !== undefined,
    text: signIn ? (
      <>
        <bdi>{signIn.person}</bdi> signed in at <bdi>{signIn.client}</bdi>.{' '}
        <EntryLink id={signIn.requestId}>See the exchange of the code</EntryLink>
      </>
    ) : (
      'Open the shop and pick a person.'
    ),
  };
}

function buyCheck(purchase: WalkthroughProgress['purchase'], { demo, forSale }: WalkthroughPlaces): Check {
  const href = demo?.gate ?? forSale[0]?.url;
  return {
    id: 'buy',
    title: 'Buy a membership',
    isDone: purchase !== undefined,
    text: purchase ? (
      <>
        <bdi>{purchase.buyer}</bdi> bought <bdi>{purchase.item}</bdi> on <Time at={purchase.paidAt} isUtc />.{' '}
        <EntryLink id={purchase.requestId}>See the payment</EntryLink>
      </>
    ) : (
      'As a person without a membership, such as Ben. Pay with the test card.'
    ),
    action:
      href !== undefined &&
      (demo === undefined ? (
        <a id="to-buy" href={href}>
          Choose a plan
        </a>
      ) : (
        <OutsideLink id="to-buy" href={href}>
          Join at the demo shop
        </OutsideLink>
      )),
  };
}

function endCheck(purchase: WalkthroughProgress['purchase'], ended: WalkthroughProgress['ended']): Check {
  return {
    id: 'end',
    title: 'Access ends',
    isDone: ended !== undefined,
    text: ended ? (
      <>
        It ended on <Time at={ended.at} isUtc />. The members’ page is closed again.
      </>
    ) : (
      'Once a membership is bought, a button here cancels it and moves the clock to its end.'
    ),
    action: purchase !== undefined && ended === undefined && (
      <form method="post" action="/sandbox/clock">
        <input type="hidden" name="end" value={purchase.membershipId} />
        <Button isSmall id="end-access">
          End access now
        </Button>
      </form>
    ),
  };
}

/** Link to an entry of the request log. Nothing without an entry. */
function EntryLink({ id, children }: { id: string | undefined; children: ComponentChildren }) {
  return id === undefined ? null : <a href={`/sandbox/requests?${idQuery(id)}`}>{children}</a>;
}

function idQuery(id: string): URLSearchParams {
  return new URLSearchParams({ id });
}

/** Link to another site. It opens in a new tab, so that this page stays in view. */
function OutsideLink({ id, href, children }: { id: string; href: string; children: string }) {
  return (
    <a id={id} href={href} target="_blank" rel="noopener">
      <Outside text={children} />
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

/** Instructions for the first two minutes. The first has the page's only primary button. */
export function StartSteps({ places: { demo, shops } }: { places: WalkthroughPlaces }) {
  const shop = demo?.gate ?? shops[0]?.url;
  const { ada, ben } = sandboxScenario.users;
  const open =
    shop === undefined ? (
      <ButtonLink kind="primary" id="to-shop" href="/sign-in" label="Open the sign-in page" />
    ) : (
      <ButtonLink kind="primary" id="to-shop" href={shop} target="_blank" rel="noopener">
        <Outside text="Open the shop" />
        <span class="visually-hidden"> (opens in a new tab)</span>
      </ButtonLink>
    );
  return (
    <Panel>
      <Steps
        steps={[
          {
            id: 'shop',
            title: shop === undefined ? 'Open the sign-in page' : 'Open the shop',
            text:
              shop === undefined
                ? 'It lists the test people below.'
                : 'A demo coffee shop. Its members’ table asks you to sign in.',
            action: open,
          },
          {
            id: 'sign-in',
            title: `Sign in as ${firstNameOf(ada.name)}`,
            text: `Pick ${ada.name}: her membership opens the table. ${ben.name} has none, and can join with a test card.`,
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

function firstNameOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** Text of a link that leaves the page. Its arrow stays beside the last word. */
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
