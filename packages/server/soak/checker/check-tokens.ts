import { type CallEntry, isAcknowledged, isUnknown } from '../log/log-entries.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

const CODE_LIFETIME_MS = 60_000;
const ACCESS_LIFETIME_MS = 3_600_000;
const REFRESH_LIFETIME_MS = 30 * 24 * 3_600_000;

/** Token pair of the log. */
interface Pair {
  access: string;
  refresh: string;
  /** Code of the grant. */
  code: string;
  subject: string;
  issued: CallEntry;
}

/** Operation that ends a credential. `isCertain` if a response says so. */
interface Ending {
  call: CallEntry;
  isCertain: boolean;
}

/** Checks codes, token pairs, and every use of an access token (spec, "OAuth credentials"). */
export function checkTokens(history: SoakHistory, report: Report): void {
  const pairs = findPairs(history);
  const byAccess = new Map(pairs.map((pair) => [pair.access, pair]));
  const byRefresh = new Map(pairs.map((pair) => [pair.refresh, pair]));
  const endings = createEndings(history, byRefresh);
  checkCodes(history, report);
  checkRotations({ history, byRefresh, endings, report });
  for (const use of history.of('userinfo', 'memberships')) {
    const pair = byAccess.get(String(use.input.access));
    if (pair === undefined) continue;
    const ends = [...endings.ofAccess(pair)];
    checkUse({
      history,
      use,
      ends,
      report,
      name: `access token of ${pair.subject}`,
      lifetimeMs: ACCESS_LIFETIME_MS,
      issued: pair.issued,
      refused: 401,
    });
  }
}

function findPairs(history: SoakHistory): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const call of history.of('redeem', 'refresh').toSorted((one, other) => one.done - other.done)) {
    const { access, refresh } = call.output ?? {};
    if (call.status !== 201 || typeof access !== 'string' || typeof refresh !== 'string') continue;
    const code = call.op === 'redeem' ? String(call.input.code) : pairs.get(String(call.input.refresh))?.code;
    pairs.set(refresh, { access, refresh, code: code ?? '', subject: call.subject, issued: call });
  }
  return [...pairs.values()];
}

function checkCodes(history: SoakHistory, report: Report): void {
  const redemptions = Map.groupBy(history.of('redeem'), ({ input }) => String(input.code));
  const issued = new Map(
    history
      .of('authorize')
      .flatMap((call) => (call.output?.code === undefined ? [] : [[String(call.output.code), call]])),
  );
  for (const [code, calls] of redemptions) {
    const honoured = calls.filter(({ status }) => status === 201);
    const { subject = '' } = calls[0] ?? {};
    if (honoured.length > 1)
      report('code is honoured once', `${subject}: the code ${code} was honoured ${honoured.length} times.`);
    if (honoured.some(({ input }) => input.isVerified === false)) {
      report('code is honoured once', `${subject}: the code ${code} was honoured with a wrong verifier.`);
    }
    const issue = issued.get(code);
    if (issue === undefined) continue;
    for (const use of calls) {
      const others = calls.filter((other) => other !== use).map((call) => ({ call, isCertain: false }));
      const signOuts = history
        .of('sign-out-apps')
        .filter((call) => call.subject === subject && call.done >= issue.sent)
        .map((call) => ({ call, isCertain: isAcknowledged(call) && call.sent > issue.done }));
      const ends = [...others, ...signOuts];
      if (use.input.isVerified === false) continue;
      checkUse({
        history,
        use,
        ends,
        report,
        name: `code ${code} of ${subject}`,
        lifetimeMs: CODE_LIFETIME_MS,
        issued: issue,
        refused: 400,
      });
    }
  }
}

interface RotationCheck {
  history: SoakHistory;
  byRefresh: ReadonlyMap<string, Pair>;
  endings: Endings;
  report: Report;
}

function checkRotations({ history, byRefresh, endings, report }: RotationCheck): void {
  for (const [token, calls] of Map.groupBy(history.of('refresh'), ({ input }) => String(input.refresh))) {
    const pair = byRefresh.get(token);
    if (pair === undefined) continue;
    const honoured = calls.filter(({ status }) => status === 201).length;
    const name = `refresh token ${token} of ${pair.subject}`;
    if (honoured > 1) report('refresh token is honoured once', `The ${name} was honoured ${honoured} times.`);
    for (const use of calls) {
      const others = calls.filter((other) => other !== use).map((call) => ({ call, isCertain: false }));
      const ends = [...others, ...endings.ofGrant(pair)];
      checkUse({
        history,
        use,
        ends,
        report,
        name,
        lifetimeMs: REFRESH_LIFETIME_MS,
        issued: pair.issued,
        refused: 400,
      });
    }
  }
}

interface Endings {
  /** Operations that end the access token of a pair. */
  ofAccess(pair: Pair): Ending[];
  /** Operations that end all tokens of a pair's grant. */
  ofGrant(pair: Pair): Ending[];
}

function createEndings(history: SoakHistory, byRefresh: ReadonlyMap<string, Pair>): Endings {
  // Each list is found by a key: a run of an hour has a hundred thousand uses.
  const revocations = history.of('revoke').filter((call) => isAcknowledged(call) || isUnknown(call));
  const revokedByToken = Map.groupBy(revocations, ({ input }) => input.token);
  const revokedByCode = Map.groupBy(revocations, ({ input }) => byRefresh.get(String(input.token))?.code);
  const redeemedByCode = Map.groupBy(history.of('redeem'), ({ input }) => input.code);
  const refreshedByToken = Map.groupBy(history.of('refresh'), ({ input }) => input.refresh);
  const signOutsBySubject = Map.groupBy(history.of('sign-out-apps'), ({ subject }) => subject);
  const ending = (call: CallEntry, issued: CallEntry): Ending => ({
    call,
    isCertain: isAcknowledged(call) && call.sent > issued.done,
  });
  const ofGrant = (pair: Pair): Ending[] => {
    const { issued, code, subject } = pair;
    const revoked = (revokedByCode.get(code) ?? []).map((call) => ending(call, issued));
    // A second redemption of the code ends the grant (RFC 6749 section 4.1.2).
    const replayed = (redeemedByCode.get(code) ?? [])
      .filter(({ status }) => status !== 201)
      .map((call) => ({ call, isCertain: false }));
    const signedOut = (signOutsBySubject.get(subject) ?? [])
      .filter(({ done, status }) => done >= issued.sent && status !== 401)
      .map((call) => ending(call, issued));
    return [...revoked, ...replayed, ...signedOut];
  };
  return {
    ofGrant,
    ofAccess(pair) {
      const rotated = (refreshedByToken.get(pair.refresh) ?? [])
        .filter(({ status }) => status !== 400)
        .map((call) => ({ call, isCertain: call.status === 201 }));
      const revoked = (revokedByToken.get(pair.access) ?? []).map((call) => ending(call, pair.issued));
      return [...rotated, ...revoked, ...ofGrant(pair)];
    },
  };
}

interface UseCheck {
  history: SoakHistory;
  use: CallEntry;
  ends: readonly Ending[];
  report: Report;
  /** Describes the credential. */
  name: string;
  lifetimeMs: number;
  issued: CallEntry;
  /** Status with which a credential that has ended is rejected. */
  refused: number;
}

/** Checks that a credential was honoured only before its end, and rejected only after it. */
function checkUse({ history, use, ends, report, name, lifetimeMs, issued, refused }: UseCheck): void {
  const now = history.serverTime(use.sent, use.done);
  const issue = history.serverTime(issued.sent, issued.done);
  if (isAcknowledged(use)) {
    const end = ends.find(({ call, isCertain }) => isCertain && call.done < use.sent);
    if (end !== undefined) {
      report(
        'revoked token is rejected',
        `The ${name} was honoured at ${use.sent}, after ${end.call.op} was acknowledged at ${end.call.done}.`,
      );
    }
    if (now.lo >= issue.hi + lifetimeMs) {
      report('expired credential is rejected', `The ${name} was honoured at ${use.sent}, after its expiry.`);
    }
  } else if (use.status === refused) {
    const mayHaveEnded = ends.some(({ call }) => call.sent <= use.done) || now.hi >= issue.lo + lifetimeMs;
    if (!mayHaveEnded)
      report(
        'valid credential is accepted',
        `The ${name} was rejected at ${use.sent}, although nothing had ended it.`,
      );
  }
}
