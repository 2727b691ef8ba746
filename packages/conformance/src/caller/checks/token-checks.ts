import type { ActionName } from '../record/caller-profile.js';
import {
  type ActionRun,
  isSignedIn,
  type Recording,
  requestsTo,
  runOf,
  runsOf,
  type ServiceRoundTrip,
} from '../record/recording.js';
import { isSameOutcome, outcomeText } from './compare.js';
import {
  evidenceOf,
  failed,
  type Judge,
  type Judgement,
  joined,
  notObserved,
  passed,
  shown,
  signInGap,
  verdict,
} from './judgement.js';
import { isPublicClient } from './sign-in-checks.js';

export const tokenChecks: Readonly<Record<string, Judge>> = {
  'credentials.refresh-rotates': judgeRotation,
  'oauth-error.branch-on-error': judgeOAuthErrors,
  'revoke.public-forgets-locally': judgePublicSignOut,
  'revoke.success-empty': judgeRevocation,
};

function refreshes(run: Pick<Recording, 'roundTrips'>): readonly ServiceRoundTrip[] {
  return requestsTo(run, 'token').filter(({ request }) => request.fields.grant_type === 'refresh_token');
}

function judgeRotation(recording: Recording): Judgement {
  const spent = new Map<unknown, ServiceRoundTrip>();
  let isChained = false;
  for (const roundTrip of refreshes(recording)) {
    const { refresh_token: token } = roundTrip.request.fields;
    const before = spent.get(token);
    if (before !== undefined) {
      const text = 'The client sent a refresh token again that it had redeemed before.';
      return failed(text, [shown(recording, before), shown(recording, roundTrip)]);
    }
    isChained ||= [...spent.values()].some(({ answer }) => answer.body.includes(`"${String(token)}"`));
    // A client that lost the response has no newer token, and doesn't know that the service has rotated this one.
    if (roundTrip.answer.status === 201 && !roundTrip.request.isLost) spent.set(token, roundTrip);
  }
  return isChained
    ? passed([...spent.values()].slice(0, 2).map((roundTrip) => shown(recording, roundTrip)))
    : notObserved('the client did not refresh one session twice');
}

function judgeOAuthErrors(recording: Recording): Judgement {
  const gap =
    recording.runs.length === 0 ? 'needs the actions signIn and protectedPage' : signInGap(recording);
  if (gap !== undefined) return notObserved(gap);
  const refresh: ActionName = recording.actions.includes('refresh') ? 'refresh' : 'protectedPage';
  return joined(
    judgeInvalidToken(recording),
    judgeInsufficientScope(recording),
    judgeRejectedRefresh(recording, refresh),
    judgeOutage(recording, refresh),
  );
}

function hasAnswer(run: ActionRun | undefined, status: number): boolean {
  return (
    run?.roundTrips.some(
      ({ request, answer }) => answer.status === status && request.path.startsWith('/oauth/'),
    ) ?? false
  );
}

function judgeInvalidToken(recording: Recording): Judgement {
  const run = runOf(recording, 'protectedPage', 'invalid token');
  if (run === undefined || !hasAnswer(run, 401)) {
    return notObserved('the page for members used no access token that was rejected');
  }
  const evidence = evidenceOf(recording, run);
  const { status, kind } = run.outcome;
  if (status !== undefined && status >= 500) {
    const text = `The service answered 401 invalid_token. The app ${outcomeText(run)} instead of refreshing or signing in again.`;
    return failed(text, evidence);
  }
  const message = 'The service answered 401 invalid_token. The page for members opened without a new token.';
  return verdict(kind === 'failure' || refreshes(run).length > 0, message, evidence);
}

function judgeInsufficientScope(recording: Recording): Judgement {
  const run = runOf(recording, 'protectedPage', 'insufficient scope');
  if (run === undefined || !hasAnswer(run, 403)) return notObserved('the client used no list with a scope');
  const message = 'The service answered 403 insufficient_scope. The client refreshed, which adds no scope.';
  return verdict(refreshes(run).length === 0, message, evidenceOf(recording, run));
}

function judgeRejectedRefresh(recording: Recording, action: ActionName): Judgement {
  const [first, second] = ['refresh rejected', 'refresh rejected otherwise'].map((label) =>
    runOf(recording, action, label),
  );
  if (first === undefined || second === undefined) return notObserved('no refresh was rejected');
  if (refreshes(first).length === 0 || refreshes(second).length === 0) {
    return notObserved('the client did not refresh an expired access token');
  }
  const evidence = evidenceOf(recording, first, second);
  if (!isSameOutcome(first, second)) {
    const text = `The refresh failed with invalid_grant and two descriptions. The app ${outcomeText(first)} for one and ${outcomeText(second)} for the other.`;
    return failed(text, evidence);
  }
  const again = runOf(recording, action, 'refresh rejected again');
  const tokens = [first, again].flatMap((run) =>
    run === undefined ? [] : refreshes(run).map(({ request }) => request.fields.refresh_token),
  );
  const message = 'The refresh failed with invalid_grant. The client sent the same refresh token again.';
  return verdict(new Set(tokens).size === tokens.length, message, evidence);
}

function judgeOutage(recording: Recording, action: ActionName): Judgement {
  const run = runOf(recording, action, 'refresh down');
  if (run === undefined || refreshes(run).length === 0) return notObserved('no refresh met an outage');
  const after = runsOf(recording, action, 'after refresh down').at(-1);
  const message = 'The token endpoint answered 500 to a refresh. The session did not recover afterwards.';
  return verdict(after?.outcome.kind === 'success', message, evidenceOf(recording, run, after));
}

function signOutGap(recording: Recording): string | undefined {
  if (!recording.actions.includes('signOut')) return 'needs the action signOut';
  return signInGap(recording);
}

function judgePublicSignOut(recording: Recording): Judgement {
  const gap = signOutGap(recording) ?? (isPublicClient(recording) ? undefined : 'the client is confidential');
  if (gap !== undefined) return notObserved(gap);
  const signOut = runOf(recording, 'signOut', 'ordinary');
  const after = runOf(recording, 'protectedPage', 'after sign-out');
  const evidence = evidenceOf(recording, signOut, after);
  if (signOut?.outcome.kind !== 'success') return failed('The sign-out of a public client failed.', evidence);
  if (after === undefined) return notObserved('needs the action protectedPage');
  const message = 'After the sign-out the page for members opened. A public client must delete its tokens.';
  return verdict(after.outcome.kind === 'failure', message, evidence);
}

function judgeRevocation(recording: Recording): Judgement {
  const gap = signOutGap(recording);
  if (gap !== undefined || !isSignedIn(recording, 'ordinary')) return notObserved(gap ?? 'no sign-in');
  const run = runOf(recording, 'signOut', 'ordinary');
  const isRevoked = run?.roundTrips.some(
    ({ request, answer }) => request.endpoint === 'revoke' && answer.status === 200,
  );
  if (run === undefined || !isRevoked) return notObserved('the client revoked no token at the sign-out');
  const message = `The revocation answered 200 with an empty body. The app ${outcomeText(run)}.`;
  return verdict(run.outcome.kind === 'success', message, evidenceOf(recording, run));
}
