import { ArrowIcon, CheckIcon, PlainDateTime } from '@latchkey/server/ui';
import type { ComponentChildren } from 'preact';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import type { LoopProgress } from './loop-progress.js';

/** Pages to which the steps lead. */
export type LoopPlaces = Pick<SandboxGuide, 'demo' | 'shops' | 'forSale'>;

interface Step {
  readonly id: string;
  readonly title: string;
  /** Facts of what happened; undefined if the step is not done. */
  readonly done: ComponentChildren | undefined;
  /** Advice for the step that is not done. */
  readonly advice: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** The loop as steps. The current one has the primary button. */
export function LoopSection(props: { progress: LoopProgress; places: LoopPlaces }) {
  const steps = stepsOf(props.progress, props.places);
  const count = steps.filter(({ done }) => done !== undefined).length;
  const current = steps.find(({ done }) => done === undefined);
  return (
    <section class="panel loop" aria-labelledby="loop-title">
      <div class="panel-heading">
        <h2 id="loop-title">From sign-in to the end of access</h2>
        <p class="loop-count" id="loop-count" role="status" data-live>
          {count === steps.length ? 'All 5 steps done' : `${count} of 5 done`}
        </p>
      </div>
      <ol class="loop-steps" id="loop-steps" data-live>
        {steps.map((step, index) => (
          <LoopStep key={step.id} step={step} number={index + 1} isCurrent={step === current} />
        ))}
      </ol>
    </section>
  );
}

function LoopStep({ step, number, isCurrent }: { step: Step; number: number; isCurrent: boolean }) {
  const isDone = step.done !== undefined;
  return (
    <li
      class={`loop-step${isDone ? ' done' : ''}${isCurrent ? ' current' : ''}`}
      {...(isCurrent && { 'aria-current': 'step' as const })}
    >
      <span class="loop-marker" aria-hidden="true">
        {isDone ? <CheckIcon /> : number}
      </span>
      <div class="loop-text">
        <h3>
          <span class="visually-hidden">{`Step ${number}, ${isDone ? 'done' : 'to do'}: `}</span>
          {step.title}
        </h3>
        <p class="muted">{step.done ?? step.advice}</p>
        {step.action}
      </div>
    </li>
  );
}

function stepsOf(progress: LoopProgress, places: LoopPlaces): readonly Step[] {
  const { signIn, purchase, gate, webhook, ended } = progress;
  const isCurrent = (...needed: unknown[]) => needed.every((fact) => fact !== undefined);
  const site = places.demo?.gate ?? places.shops[0]?.url;
  return [
    signInStep(signIn, places),
    buyStep(purchase, { places, isCurrent: isCurrent(signIn) }),
    {
      id: 'gate',
      title: 'The gate opens',
      done: gate && (
        <>
          <bdi>{gate.client}</bdi> asked for the memberships, and found the new one.{' '}
          <EntryLink id={gate.requestId}>See the answer</EntryLink>
        </>
      ),
      advice: 'Back at the shop, the members’ page opens by itself.',
      action: site !== undefined && (
        <StepLink
          id="to-gate"
          href={site}
          isPrimary={isCurrent(signIn, purchase) && gate === undefined}
          elsewhere
        >
          Open the members’ page
        </StepLink>
      ),
    },
    {
      id: 'webhook',
      title: 'The webhook arrives',
      done: webhook && (
        <>
          <code>{webhook.type}</code> was delivered to <bdi>{webhook.url}</bdi>
        </>
      ),
      advice: 'The service tells your backend about the membership, signed with the webhook’s secret.',
      action: (
        <StepLink
          id="to-webhooks"
          href={webhook === undefined ? '/sandbox/webhooks' : `/sandbox/webhooks?${idQuery(webhook.eventId)}`}
          isPrimary={false}
        >
          See the deliveries
        </StepLink>
      ),
    },
    endStep({ purchase, ended, isCurrent: isCurrent(signIn, purchase, gate, webhook) }),
  ];
}

function signInStep(signIn: LoopProgress['signIn'], { demo, shops }: LoopPlaces): Step {
  const href = demo?.signIn ?? shops[0]?.url ?? '/sign-in';
  return {
    id: 'sign-in',
    title: 'Sign in',
    done: signIn && (
      <>
        <bdi>{signIn.person}</bdi> signed in at <bdi>{signIn.client}</bdi>.{' '}
        <EntryLink id={signIn.requestId}>See the exchange of the code</EntryLink>
      </>
    ),
    advice: (
      <>
        Pick <strong>Ben Visitor</strong>, who has no membership yet, and allow the shop to see his profile.
      </>
    ),
    action: (
      <StepLink id="to-sign-in" href={href} isPrimary={signIn === undefined} elsewhere={href !== '/sign-in'}>
        {demo === undefined ? 'Open the sign-in' : 'Sign in at the demo shop'}
      </StepLink>
    ),
  };
}

function buyStep(
  purchase: LoopProgress['purchase'],
  { places: { demo, forSale }, isCurrent }: { places: LoopPlaces; isCurrent: boolean },
): Step {
  const href = demo?.gate ?? forSale[0]?.url;
  return {
    id: 'buy',
    title: 'Buy a membership',
    done: purchase && (
      <>
        <bdi>{purchase.buyer}</bdi> bought <bdi>{purchase.item}</bdi> on{' '}
        <PlainDateTime at={purchase.paidAt} />. <EntryLink id={purchase.requestId}>See the payment</EntryLink>
      </>
    ),
    advice: 'Press Join and pay with the test card. No money moves.',
    action: href !== undefined && (
      <StepLink
        id="to-buy"
        href={href}
        isPrimary={isCurrent && purchase === undefined}
        elsewhere={demo !== undefined}
      >
        {demo === undefined ? 'Choose a plan' : 'Join at the demo shop'}
      </StepLink>
    ),
  };
}

function endStep({
  purchase,
  ended,
  isCurrent,
}: {
  purchase: LoopProgress['purchase'];
  ended: LoopProgress['ended'];
  isCurrent: boolean;
}): Step {
  return {
    id: 'end',
    title: 'Access ends',
    done: ended && (
      <>
        It ended on <PlainDateTime at={ended.at} />. Open the members’ page again: it is closed.
      </>
    ),
    advice: 'Cancels the renewal, ends the membership in five minutes, and moves the clock there.',
    action: purchase !== undefined && ended === undefined && (
      <form method="post" action="/sandbox/clock">
        <input type="hidden" name="end" value={purchase.membershipId} />
        <button class={`button small ${isCurrent ? 'primary' : 'secondary'}`} id="end-access" type="submit">
          End access now
        </button>
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

/** Link of a step. One to another site opens in a new tab, so that this page stays in view. */
function StepLink(props: {
  id: string;
  href: string;
  isPrimary: boolean;
  elsewhere?: boolean;
  children: ComponentChildren;
}) {
  return (
    <a
      class={props.isPrimary ? 'button small primary' : 'loop-link'}
      id={props.id}
      href={props.href}
      {...(props.elsewhere === true && { target: '_blank', rel: 'noopener' })}
    >
      {props.children}
      {props.elsewhere === true && (
        <>
          <ArrowIcon />
          <span class="visually-hidden"> (opens in a new tab)</span>
        </>
      )}
    </a>
  );
}
