import { jsonOf } from '@latchkey/contract/constants';
import { isSignedIn, type Recording, requestsTo, runOf, type ServiceRoundTrip } from '../record/recording.js';
import { linkOf, UNUSUAL_CHECKOUT_URL } from '../service/scripts.js';
import {
  compareRuns,
  isDistinguishable,
  isFailure,
  isSameOutcome,
  outcomeText,
  requestsOf,
} from './compare.js';
import {
  all,
  evidenceOf,
  failed,
  type Judge,
  type Judgement,
  judgeRequests,
  notObserved,
  passed,
  shown,
  signInGap,
  verdict,
} from './judgement.js';

/** A membership that ends later than this, in milliseconds from now, ends implausibly far in the future: fifty years. */
const FAR_FUTURE_MS = 50 * 365.25 * 24 * 3600_000;

export const purchaseChecks: Readonly<Record<string, Judge>> = {
  'provision.store-membership-id': judgeStoredId,
  'provision.stable-order-id': judgeOrderIds,
  'provision.send-both-identifiers': judgeIdentifiers,
  'provision.never-null-end': judgeEnds,
  'buy-plan.absence-is-failure': compareRuns({
    label: 'no checkoutUrl',
    actions: ['checkout'],
    keeps: isFailure,
    problem: (run) =>
      `buy-plan answered 201 with success true and without checkoutUrl. The app ${outcomeText(run)}.`,
  }),
  'buy-plan.redirect-as-is': compareRuns({
    label: 'unknown host',
    actions: ['checkout'],
    keeps: ({ outcome }) => outcome.location === UNUSUAL_CHECKOUT_URL || showsUrl(outcome.text),
    problem: (run) =>
      `checkoutUrl was ${UNUSUAL_CHECKOUT_URL}. The app ${outcomeText(run)} with ${run.outcome.location ?? 'a text without this URL'}.`,
  }),
  'buy-plan.success-url-no-proof': judgeUnpaid,
  'drop-signup.ignore-internal': all(
    ...['internal fields set', 'internal fields changed'].map((label) =>
      compareRuns({
        label,
        actions: ['dropSignup'],
        keeps: isSameOutcome,
        problem: (run, control) =>
          `dropNotification and userHasNotification had other values. The app ${outcomeText(run)}; before it ${outcomeText(control)}.`,
      }),
    ),
  ),
  'invite-link.not-cached-past-expiry': judgeExpiredLink,
  'api-key.unauthorized-with-error-code': compareRuns({
    label: 'not a member',
    control: 'status 401',
    actions: ['inviteLink'],
    keeps: isDistinguishable,
    problem: (run) =>
      `the app ${outcomeText(run)} with the same text for a buyer without membership (401 with errorCode unauthorized) and for a rejected key (401 without).`,
  }),
};

function showsUrl(text: string): boolean {
  const decoded = text.replaceAll('&amp;', '&').replaceAll('\\u0026', '&').replaceAll('\\/', '/');
  return decoded.includes(UNUSUAL_CHECKOUT_URL);
}

function dataOf({ answer }: ServiceRoundTrip): Readonly<Record<string, unknown>> {
  return (jsonOf(answer.body) as { data?: Record<string, unknown> } | undefined)?.data ?? {};
}

function judgeStoredId(recording: Recording): Judgement {
  const order = runOf(recording, 'provision', 'first order');
  const stored = runOf(recording, 'storedMembership', 'first order');
  const id = order === undefined ? undefined : requestsOf(order).map(dataOf).at(-1)?.membershipId;
  if (stored === undefined || typeof id !== 'string') {
    return notObserved('needs the actions provision and storedMembership');
  }
  const message = `The service returned the membershipId ${id}. The app did not keep it with the order.`;
  const isStored = stored.outcome.text.toLowerCase().includes(id);
  return verdict(isStored, message, evidenceOf(recording, order, stored));
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
  const requests = requestsTo(recording, 'provisionExternal');
  if (requests.length === 0) return notObserved('the client provisioned nothing');
  const evidence = requests.slice(0, 1).map((roundTrip) => shown(recording, roundTrip));
  const sendsBoth = requests.every(
    ({ request }) =>
      request.fields.email !== undefined && request.fields[recording.messengerField] !== undefined,
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
  const isWrong = ({ request: { fields } }: ServiceRoundTrip) => {
    const end = typeof fields.validUntil === 'string' ? Date.parse(fields.validUntil) : 0;
    return fields.validUntil === null || end > Date.now() + FAR_FUTURE_MS;
  };
  const requests = requestsTo(recording, 'provisionExternal');
  const sent = JSON.stringify(requests.find(isWrong)?.request.fields.validUntil);
  const message = `The client sent validUntil ${sent}. Lifetime access is a request without validUntil.`;
  return judgeRequests(recording, requests, { isWrong, message, absent: 'the client provisioned nothing' });
}

function judgeUnpaid(recording: Recording): Judgement {
  const page = runOf(recording, 'protectedPage', 'unpaid');
  const gap = signInGap(recording);
  if (gap !== undefined) return notObserved(gap);
  if (page === undefined || !isSignedIn(recording, 'ordinary')) {
    return notObserved('needs the actions signIn, checkout and protectedPage');
  }
  const evidence = evidenceOf(recording, runOf(recording, 'checkout', 'unpaid'), page);
  const message = 'A visitor opened successUrl without paying, and the page for members opened.';
  return verdict(isFailure(page), message, evidence);
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
  const message = 'The app showed an invite link again after its expiresAt.';
  return verdict(!showsLink(after.outcome), message, evidenceOf(recording, short, after));
}
