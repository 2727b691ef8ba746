import { inviteLink } from '../calls/api-key-calls.js';
import { authorize, getResource, newPair, pairOf, redeem, refresh } from '../calls/oauth-calls.js';
import { paidCheckout } from '../calls/shared-observations.js';
import { type Answer, requireSuccess, requireText } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, once, type Session } from '../session/session.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

async function advance(session: Session, seconds: number): Promise<void> {
  await session.drive('advance', { seconds });
}

/** Redeems one code in time and one too late. The margin allows for the time that requests take. */
const codes = once(async (session): Promise<{ early: Answer; late: Answer }> => {
  const [first, second] = [await authorize(session), await authorize(session)];
  await advance(session, 40);
  const early = await redeem(session, first);
  await advance(session, 30);
  return { early, late: await redeem(session, second) };
});

const accessToken = once(async (session): Promise<{ early: Answer; late: Answer }> => {
  const pair = await newPair(session);
  await advance(session, HOUR - 60);
  const early = await getResource(session, session.paths.userinfo, pair.access);
  await advance(session, 120);
  return { early, late: await getResource(session, session.paths.userinfo, pair.access) };
});

/** Refreshes three pairs: one after 29 days, its successor after 29 more days, and the next one too late. */
const refreshTokens = once(async (session): Promise<{ first: Answer; second: Answer; late: Answer }> => {
  const pair = await newPair(session);
  await advance(session, 29 * DAY);
  const first = await refresh(session, pair);
  const next = pairOf('public', first);
  await advance(session, 29 * DAY);
  const second = await refresh(session, next);
  const last = second.status < 300 ? pairOf('public', second) : await newPair(session);
  await advance(session, 30 * DAY + HOUR);
  return { first, second, late: await refresh(session, last) };
});

/** Uses two of a buyer's invite links: one in time, and one too late. */
const inviteLinks = once(async (session): Promise<{ early: boolean; late: boolean }> => {
  const { externalId, first } = await paidCheckout(session);
  requireSuccess(first);
  const link = async () => requireText(await inviteLink(session, externalId), 'data', 'link');
  const messengerUserId = session.newMessengerUserId();
  const [one, two] = [await link(), await link()];
  await advance(session, 23 * HOUR);
  const early = await session.drive('join', { link: one, messengerUserId });
  await advance(session, 2 * HOUR);
  const late = await session.drive('join', { link: two, messengerUserId });
  return { early: early.admitted, late: late.admitted };
});

export const clockChecks = checksOf('clock', {
  'credentials.code-lifetime': check(codes, ({ early, late }) => {
    expect.accepted(early, 'a redemption after 40 seconds');
    expect.refused(late, 'no redemption after 70 seconds');
  }),
  'credentials.access-token-lifetime': check(accessToken, ({ early, late }) => {
    expect.accepted(early, 'access after 59 minutes');
    expect.refused(late, 'no access after 61 minutes');
  }),
  'oauth-error.invalid-token-expired': check(accessToken, ({ late }) => {
    if (late.status >= 400) expect.oauthError(late, 401, 'invalid_token');
  }),
  'invite-link.lifetime': check(inviteLinks, ({ early, late }) => {
    expect.that(early, 'an admission after 23 hours', 'rejected');
    expect.that(!late, 'no admission after 25 hours', 'admitted');
  }),
  'credentials.refresh-token-lifetime': check(refreshTokens, ({ first, late }) => {
    expect.accepted(first, 'a refresh after 29 days');
    expect.refused(late, 'no refresh after 30 days and an hour');
  }),
  'credentials.refresh-sliding-window': check(refreshTokens, ({ first, second }) => {
    requireSuccess(first);
    expect.accepted(second, 'a refresh 29 days after the last refresh');
  }),
  async 'oauth-error.invalid-grant-expired'(session) {
    for (const { late } of [await codes(session), await refreshTokens(session)]) {
      if (late.status >= 400) expect.oauthError(late, 400, 'invalid_grant');
    }
  },
});
