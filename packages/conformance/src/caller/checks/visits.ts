import { isSignedIn, type Recording, runOf } from '../record/recording.js';
import { evidenceOf, shown } from './evidence.js';
import { failed, type Judgement, notObserved, passed } from './judgement.js';

/** Reason why sign-ins prove nothing, or undefined. */
export function signInGap(recording: Recording): string | undefined {
  if (!recording.actions.includes('signIn')) return 'needs the action signIn';
  return isSignedIn(recording, 'ordinary') ? undefined : 'the sign-in fails with ordinary answers too';
}

/** Judges a client that is used by hand: under the script, it used an access token that it had redeemed. */
export function judgeUse(recording: Recording, script: string): Judgement {
  if (recording.runs.length > 0) return notObserved('needs a client that was used by hand');
  const under = recording.exchanges.filter((exchange) => exchange.script === script);
  const use = under.filter(
    ({ request, answer }) => request.headers.authorization !== undefined && answer.status === 200,
  );
  const isRedeemed = under.some(
    ({ request, answer }) => request.endpoint === 'token' && answer.status === 201,
  );
  return isRedeemed && use.length > 0
    ? passed(use.map((exchange) => shown(recording, exchange)))
    : notObserved(`no user signed in under the script "${script}"`);
}

/** Judges a sign-in that must succeed as an ordinary one does. */
export function judgeVisit(recording: Recording, label: string, message: string): Judgement {
  const gap = signInGap(recording);
  if (gap !== undefined) return notObserved(gap);
  const runs = [runOf(recording, 'signIn', label), runOf(recording, 'protectedPage', label)];
  if (runs[0] === undefined) return notObserved('no sign-in ran under this script');
  const evidence = evidenceOf(recording, ...runs);
  return isSignedIn(recording, label) ? passed(evidence) : failed(message, evidence);
}
