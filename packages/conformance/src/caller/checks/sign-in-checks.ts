import { createHash } from 'node:crypto';
import { isSignedIn, type Recording, requestsTo, runOf, type ServiceRoundTrip } from '../record/recording.js';
import { SCRIPTED_IDS } from '../service/script.js';
import { isFromBrowser } from './api-key-checks.js';
import {
  all,
  evidenceOf,
  failed,
  type Judge,
  type Judgement,
  judgeRequests,
  judgeUse,
  judgeVisit,
  notObserved,
  passed,
  shown,
  signInGap,
  verdict,
} from './judgement.js';

export const signInChecks: Readonly<Record<string, Judge>> = {
  'general.widget-is-public-client': judgeBrowserClient,
  'credentials.opaque-tokens': all(
    judgeVisit(
      'odd tokens',
      'Codes and tokens contained ".", "~", "+", "/", "_", "-" and "=". The sign-in failed.',
    ),
    judgeUse('odd tokens'),
  ),
  'userinfo.sub-is-the-key': judgeAccounts,
  'userinfo.email-nullable': judgeVisit('null email', 'The email of the user was null. The sign-in failed.'),
  'memberships.valid-until': all(
    ...['null', 'absent'].map((form) =>
      judgeVisit(
        `validUntil ${form}`,
        `validUntil of the membership was ${form}, which means lifetime access. The page did not open.`,
      ),
    ),
  ),
  'authorize.challenge-derivation': judgeChallenges,
  'authorize.state-verified': judgeState,
  'token.client-secret-post': judgeCredentials,
  'token.accept-created': judgeCreated,
  'client-identity.widget-origin-sender': judgeOriginSender,
  'client-identity.origin-must-be-allowed': judgeOriginAnswer,
};

function judgeBrowserClient(recording: Recording): Judgement {
  const fromBrowsers = requestsTo(recording, 'token').filter(({ request }) => isFromBrowser(request));
  return judgeRequests(recording, fromBrowsers, {
    isWrong: ({ request }) => request.fields.client_secret !== undefined,
    message: 'A browser sent a client secret.',
    absent: 'no browser called the token endpoint',
  });
}

function judgeAccounts(recording: Recording): Judgement {
  const gap = recording.actions.includes('account') ? signInGap(recording) : 'needs the action account';
  if (gap !== undefined) return notObserved(gap);
  const [first, moved, second] = ['first user', 'first user, new address', 'second user, same address'].map(
    (label) => runOf(recording, 'account', label),
  );
  const key = first?.outcome.text.trim() ?? '';
  if (first?.outcome.kind !== 'success' || key === '') {
    return notObserved('the action account does not show the key of the signed-in user');
  }
  const evidence = evidenceOf(recording, first, moved, second);
  if (moved?.outcome.text.trim() !== key) {
    return failed('A user with the same sub and a new email got another account.', evidence);
  }
  const message = 'Another user with the same email got the account of the first one.';
  return verdict(second?.outcome.text.trim() !== key, message, evidence);
}

function challenges(recording: Recording): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const { request, answer } of requestsTo(recording, 'authorize')) {
    const code = codeOf({ answer });
    if (code !== null) found.set(code, request.query.get('code_challenge'));
  }
  return found;
}

function judgeChallenges(recording: Recording): Judgement {
  const byCode = challenges(recording);
  let proof: ServiceRoundTrip | undefined;
  for (const roundTrip of requestsTo(recording, 'token')) {
    const { code, code_verifier: verifier } = roundTrip.request.fields;
    const challenge = byCode.get(String(code));
    if (challenge === null || challenge === undefined) continue;
    if (
      typeof verifier !== 'string' ||
      createHash('sha256').update(verifier).digest('base64url') !== challenge
    ) {
      const text =
        'The code_verifier does not have the code_challenge: base64url(SHA-256(verifier)), without "=".';
      return failed(text, [shown(recording, roundTrip)]);
    }
    proof ??= roundTrip;
  }
  return proof === undefined
    ? notObserved('no code was redeemed whose authorization request had a challenge')
    : passed([shown(recording, proof)]);
}

function judgeState(recording: Recording): Judgement {
  if (recording.runs.length === 0) return judgeStateByUse(recording);
  const gap = signInGap(recording);
  if (gap !== undefined) return notObserved(gap);
  const evidence = [];
  for (const label of ['foreign state', 'no state']) {
    const run = runOf(recording, 'signIn', label);
    if (run === undefined) return notObserved('no sign-in ran under this script');
    const messages = evidenceOf(recording, run);
    if (requestsTo(run, 'token').length > 0) {
      return failed(`The redirect had ${label}. The client redeemed its code.`, messages);
    }
    evidence.push(...messages);
  }
  return passed(evidence);
}

function judgeStateByUse(recording: Recording): Judgement {
  const forged = requestsTo(recording, 'authorize').filter(({ script }) => script.endsWith(' state'));
  if (forged.length === 0) return notObserved('no user signed in under the script "foreign state"');
  const codes = new Set(forged.map(codeOf));
  const redeemed = requestsTo(recording, 'token').find(({ request }) =>
    codes.has(String(request.fields.code)),
  );
  return redeemed === undefined
    ? passed(forged.map((roundTrip) => shown(recording, roundTrip)))
    : failed('The redirect had a foreign state. The client redeemed its code.', [shown(recording, redeemed)]);
}

function codeOf({ answer }: Pick<ServiceRoundTrip, 'answer'>): string | null {
  const { location = '' } = answer.headers;
  return URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
}

function judgeCredentials(recording: Recording): Judgement {
  const requests = requestsTo(recording, 'token', 'revoke');
  const wrong = requests.find(({ request }) => /^basic /i.test(request.headers.authorization ?? ''));
  if (wrong !== undefined) {
    return failed('The client sent an Authorization: Basic header.', [shown(recording, wrong)]);
  }
  const proof = requests.find(({ request }) => typeof request.fields.client_id === 'string');
  return proof === undefined
    ? notObserved('the client sent no token request')
    : passed([shown(recording, proof)]);
}

function judgeCreated(recording: Recording): Judgement {
  if (!recording.actions.includes('signIn')) return judgeCreatedByUse(recording);
  const run = runOf(recording, 'signIn', 'ordinary');
  const evidence = evidenceOf(recording, run);
  if (isSignedIn(recording, 'ordinary')) return passed(evidence);
  return isSignedIn(recording, 'token 200')
    ? failed('The token endpoint answered 201 and the sign-in failed. With a 200 it succeeded.', evidence)
    : notObserved('the sign-in fails with a 200 of the token endpoint too');
}

/** Without actions, using a token proves that the client accepted the 201. */
function judgeCreatedByUse(recording: Recording): Judgement {
  const redeemed = requestsTo(recording, 'token').filter(({ answer }) => answer.status === 201);
  for (const roundTrip of redeemed) {
    const { access_token: token } = JSON.parse(roundTrip.answer.body) as { access_token: string };
    const use = recording.roundTrips.find(
      ({ request }) => request.headers.authorization === `Bearer ${token}`,
    );
    if (use !== undefined) return passed([shown(recording, roundTrip), shown(recording, use)]);
  }
  return notObserved('no access token was used');
}

const asksForOrigin = ({ request }: ServiceRoundTrip) => request.query.has('widget_origin');

function judgeOriginSender(recording: Recording): Judgement {
  const identities = requestsTo(recording, 'clientIdentity');
  const requests = [...identities.filter(asksForOrigin), ...identities];
  return judgeRequests(recording, requests, {
    isWrong: (roundTrip) => asksForOrigin(roundTrip) && !isFromBrowser(roundTrip.request),
    message: 'A program outside of a browser sent widget_origin.',
    absent: 'no client identity was requested',
  });
}

/** Codes issued right before a rejection must never be redeemed. */
function judgeOriginAnswer(recording: Recording): Judgement {
  const refused = requestsTo(recording, 'clientIdentity')
    .filter(asksForOrigin)
    .filter(({ answer }) => !answer.body.includes('"widgetOriginAllowed":true'));
  if (refused.length === 0) return notObserved('no origin was refused: use the script "origin refused"');
  for (const refusal of refused) {
    const codes = codesBefore(recording, refusal);
    const redeemed = requestsTo(recording, 'token').find(({ request }) =>
      codes.has(String(request.fields.code)),
    );
    if (redeemed !== undefined) {
      const text = 'The origin was not allowed, and the code was redeemed: the callback has passed it on.';
      return failed(text, [shown(recording, refusal), shown(recording, redeemed)]);
    }
  }
  return passed(refused.map((roundTrip) => shown(recording, roundTrip)));
}

function codesBefore({ roundTrips }: Recording, refusal: ServiceRoundTrip): ReadonlySet<string> {
  const last = roundTrips
    .slice(0, roundTrips.indexOf(refusal))
    .findLast(({ request }) => request.endpoint === 'authorize');
  const code = last === undefined ? null : codeOf(last);
  return new Set(code === null ? [] : [code]);
}

export function isPublicClient(recording: Recording): boolean | undefined {
  const request = requestsTo(recording, 'token').find(({ answer }) => answer.status === 201)?.request;
  return request === undefined ? undefined : request.fields.client_id === SCRIPTED_IDS.publicClientId;
}
