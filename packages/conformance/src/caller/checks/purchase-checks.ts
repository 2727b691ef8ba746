import { messengerUserIdNameOf } from '@latchkey/contract/constants';
import { isSignedIn, type Recording, runOf } from '../record/recording.js';
import type { ServiceExchange } from '../record/service-exchange.js';
import { linkOf, UNUSUAL_CHECKOUT_URL } from '../scripts/api-key-scripts.js';
import { jsonOf } from '../service/script.js';
import { compareRuns, isDistinguishable, isSameOutcome, outcomeText, requestsOf } from './compare.js';
import { evidenceOf, shown } from './evidence.js';
import { type CallerCheck, failed, type Judgement, joined, notObserved, passed } from './judgement.js';
import { signInGap } from './visits.js';

/** End of a membership, in milliseconds from now, above which it is far in the future: fifty years. */
const FAR_FUTURE_MS = 50 * 365.25 * 24 * 3600_000;

/** Rules about provisioning, checkouts, invite links and drop signups. */
export const purchaseChecks: readonly CallerCheck[] = [
  { id: 'provision.store-membership-id', judge: judgeStoredId },
  { id: 'provision.stable-order-id', judge: judgeOrderIds },
  { id: 'provision.send-both-identifiers', judge: judgeIdentifiers },
  { id: 'provision.never-null-end', judge: judgeEnds },
  {
    id: 'buy-plan.absence-is-failure',
    judge: (recording) =>
      compareRuns(recording, {
        label: 'no checkoutUrl',
        actions: ['checkout'],
        problem: (run) =>
          run.outcome.kind === 'failure'
            ? undefined
            : `buy-plan answered 201 with success true and without checkoutUrl. The app ${outcomeText(run)}.`,
      }),
  },
  {
    id: 'buy-plan.redirect-as-is',
    judge: (recording) =>
      compareRuns(recording, {
        label: 'unknown host',
        actions: ['checkout'],
        problem: ({ outcome, ...run }) =>
          outcome.location === UNUSUAL_CHECKOUT_URL || showsUrl(outcome.text)
            ? undefined
            : `checkoutUrl was ${UNUSUAL_CHECKOUT_URL}. The app ${outcomeText({ outcome, ...run })} with ${outcome.location ?? 'a text without this URL'}.`,
      }),
  },
  { id: 'buy-plan.success-url-no-proof', judge: judgeUnpaid },
  {
    id: 'drop-signup.ignore-internal',
    judge: (recording) =>
      joined(
        ...['internal fields set', 'internal fields changed'].map((label) =>
          compareRuns(recording, {
            label,
            actions: ['dropSignup'],
            problem: (run, control) =>
              isSameOutcome(run, control)
                ? undefined
                : `dropNotification and userHasNotification had other values. The app ${outcomeText(run)}; before it ${outcomeText(control)}.`,
          }),
        ),
      ),
  },
  { id: 'invite-link.not-cached-past-expiry', judge: judgeExpiredLink },
  {
    id: 'api-key.unauthorized-with-error-code',
    judge: (recording) =>
      compareRuns(recording, {
        label: 'not a member',
        control: 'status 401',
        actions: ['inviteLink'],
        problem: (run, control) =>
          isDistinguishable(run, control)
            ? undefined
            : `the app ${outcomeText(run)} with the same text for a buyer without membership (401 with errorCode unauthorized) and for a rejected key (401 without).`,
      }),
  },
];

function showsUrl(text: string): boolean {
  const decoded = text.replaceAll('&amp;', '&').replaceAll('\\u0026', '&').replaceAll('\\/', '/');
  return decoded.includes(UNUSUAL_CHECKOUT_URL);
}

function dataOf({ answer }: ServiceExchange): Readonly<Record<string, unknown>> {
  return (jsonOf(answer) as { data?: Record<string, unknown> } | undefined)?.data ?? {};
}

function judgeStoredId(recording: Recording): Judgement {
  const order = runOf(recording, 'provision', 'first order');
  const stored = runOf(recording, 'storedMembership', 'first order');
  const id = order === undefined ? undefined : requestsOf(order).map(dataOf).at(-1)?.membershipId;
  if (stored === undefined || typeof id !== 'string') {
    return notObserved('needs the actions provision and storedMembership');
  }
  const evidence = evidenceOf(recording, order, stored);
  return stored.outcome.text.toLowerCase().includes(id)
    ? passed(evidence)
    : failed(
        `The service returned the membershipId ${id}. The app did not keep it with the order.`,
        evidence,
      );
}

function provisionRequests(recording: Recording): readonly ServiceExchange[] {
  return recording.exchanges.filter(({ request }) => request.endpoint === 'provisionExternal');
}

function judgeOrderIds(recording: Recording): Judgement {
  const idsOf = (label: string) => {
    const run = runOf(recording, 'provision', label);
    return run === undefined ? [] : requestsOf(run).map(({ request }) => request.fields.externalOrderId);
  };
  const [first, same, other] = ['first order', 'same order', 'other order'].map(idsOf);
  const retried = idsOf('500 once');
  const runs = ['first order', 'same order', '500 once'].map((label) => runOf(recording, 'provision', label));
  const evidence = evidenceOf(recording, ...runs);
  if (new Set(retried).size > 1) {
    return failed('The retry after a 500 had another externalOrderId than the first request.', evidence);
  }
  if (first?.[0] === undefined) return notObserved('needs the action provision');
  if (same?.[0] !== undefined && same[0] !== first[0]) {
    return failed('The same order was sent with two values of externalOrderId.', evidence);
  }
  if (other?.[0] === first[0]) return failed('Two orders had the same externalOrderId.', evidence);
  return same?.[0] === undefined && retried.length < 2
    ? notObserved('no order was sent twice')
    : passed(evidence);
}

function judgeIdentifiers(recording: Recording): Judgement {
  const name = messengerUserIdNameOf(recording.names);
  const requests = provisionRequests(recording);
  if (requests.length === 0) return notObserved('the client provisioned nothing');
  const evidence = requests.slice(0, 1).map((exchange) => shown(recording, exchange));
  const sendsBoth = requests.every(
    ({ request }) => request.fields.email !== undefined && request.fields[name] !== undefined,
  );
  if (sendsBoth) return passed(evidence);
  const isGivenBoth = ['email', 'messengerUserId'].every((placeholder) =>
    recording.provisionPlaceholders.includes(placeholder),
  );
  return isGivenBoth
    ? failed(`The app received an email and a messenger account. The request contained one.`, evidence)
    : notObserved('the action provision does not pass both {email} and {messengerUserId} to the app');
}

function judgeEnds(recording: Recording): Judgement {
  const requests = provisionRequests(recording);
  if (requests.length === 0) return notObserved('the client provisioned nothing');
  const wrong = requests.find(({ request: { fields } }) => {
    const end = typeof fields.validUntil === 'string' ? Date.parse(fields.validUntil) : 0;
    return fields.validUntil === null || end > Date.now() + FAR_FUTURE_MS;
  });
  if (wrong === undefined) return passed(requests.slice(0, 1).map((exchange) => shown(recording, exchange)));
  const { validUntil } = wrong.request.fields;
  const text = `The client sent validUntil ${JSON.stringify(validUntil)}. Lifetime access is a request without validUntil.`;
  return failed(text, [shown(recording, wrong)]);
}

function judgeUnpaid(recording: Recording): Judgement {
  const page = runOf(recording, 'protectedPage', 'unpaid');
  const gap = signInGap(recording);
  if (gap !== undefined) return notObserved(gap);
  if (page === undefined || !isSignedIn(recording, 'ordinary')) {
    return notObserved('needs the actions signIn, checkout and protectedPage');
  }
  const evidence = evidenceOf(recording, runOf(recording, 'checkout', 'unpaid'), page);
  return page.outcome.kind === 'failure'
    ? passed(evidence)
    : failed('A visitor opened successUrl without paying, and the page for members opened.', evidence);
}

function judgeExpiredLink(recording: Recording): Judgement {
  const short = runOf(recording, 'inviteLink', 'short link');
  const after = runOf(recording, 'inviteLink', 'after expiry');
  const answer = short === undefined ? undefined : requestsOf(short).at(-1)?.answer;
  const link = answer === undefined ? undefined : linkOf(answer.body);
  const showsLink = ({ text, location }: { text: string; location: string | undefined }) =>
    link !== undefined && `${text} ${location ?? ''}`.includes(link);
  if (short === undefined || after === undefined || !showsLink(short.outcome)) {
    return notObserved('needs the action inviteLink, with a result that contains the link');
  }
  const evidence = evidenceOf(recording, short, after);
  return showsLink(after.outcome)
    ? failed('The app showed an invite link again after its expiresAt.', evidence)
    : passed(evidence);
}
