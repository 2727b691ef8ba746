import type { Request, Response } from 'express';
import type { Needs } from '../../../app/services.js';
import { identifyActor, requireSession } from '../../../features/audit/audit.js';
import {
  type BrowserAccount,
  endSession,
  findSignInTime,
  listBrowserAccounts,
  MAX_BROWSER_ACCOUNTS,
  type SessionPlace,
  type SessionStart,
  startSession,
  USER_SESSION_LIFETIME_SECONDS,
  useSession,
} from '../../../features/sessions/sessions.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { browserNameOf } from '../../../platform/http/browser-name.js';
import { truncatedNetwork } from '../../../platform/http/client-network.js';
import { cookieWriter, type PageCookie, readCookie } from '../../../platform/http/cookies.js';
import { hashSecret } from '../../../platform/secrets.js';

/** The ids of the browser's sessions. Pages act for the user of the first; it's empty if no account is chosen. */
const SESSION_COOKIE: PageCookie = {
  name: 'latchkey_service_session',
  lifetimeSeconds: USER_SESSION_LIFETIME_SECONDS,
};

const SEPARATOR = '~';
const SESSION_IDS = /^[\w-]*(?:~[\w-]+)*$/;

type SessionServices = Needs<'baseUrl' | 'clock' | 'db'>;

interface Visit {
  request: Request;
  response: Response;
}

/** Returns the ids of the browser's sessions: the one that pages act for, and the others. */
export function sessionIdsIn(host: Needs<'baseUrl'>, request: Request) {
  const value = readCookie(host, request, SESSION_COOKIE) ?? '';
  const [current = '', ...others] = SESSION_IDS.test(value) ? value.split(SEPARATOR) : [];
  return { current: current === '' ? undefined : current, others: others.slice(0, MAX_BROWSER_ACCOUNTS) };
}

/** Returns the user who is signed in to the service in this browser. */
export async function findSignedInUser(needs: SessionServices, request: Request) {
  const { current: sessionId } = sessionIdsIn(needs, request);
  if (sessionId === undefined) return undefined;
  const user = await useSession(needs.db, { sessionId, ...placeOf(request) }, needs.clock.now());
  if (user !== undefined) identifyActor('user', user.id);
  return user;
}

/** Returns the user, for a form. Its changes need the session until they are stored. */
export async function requireSignedInUser(needs: SessionServices, request: Request) {
  const user = await findSignedInUser(needs, request);
  const { current } = sessionIdsIn(needs, request);
  if (user !== undefined && current !== undefined) requireSession(hashSecret(current));
  return user;
}

export async function findCurrentSession(needs: SessionServices, request: Request, userId: string) {
  const { current: sessionId } = sessionIdsIn(needs, request);
  if (sessionId === undefined) return undefined;
  const signedInAt = await findSignInTime(needs.db, { userId, sessionId }, needs.clock.now());
  return signedInAt === undefined ? undefined : { sessionId, signedInAt };
}

/** Returns what a session stores about a request. The IP address and the `User-Agent` themselves aren't stored. */
export function placeOf(request: Request): SessionPlace {
  return { browser: browserNameOf(request.get('User-Agent')), network: truncatedNetwork(request.ip) };
}

export function sessionStartOf(host: Needs<'baseUrl'>, request: Request): Omit<SessionStart, 'userId'> {
  const { current, others } = sessionIdsIn(host, request);
  return { ...placeOf(request), earlier: current === undefined ? others : [current, ...others] };
}

/** Signs a user in with a new session id. The browser's other accounts stay signed in. */
export async function startUserSession(needs: SessionServices, { request, response }: Visit, userId: string) {
  const { db, clock } = needs;
  const start = { userId, ...sessionStartOf(needs, request) };
  const sessionIds = await inTransaction(db, (transaction) => startSession(transaction, start, clock.now()));
  writeUserSession(needs, response, sessionIds);
}

/** Stores the sessions in the browser. Pages act for the user of the first one, or for nobody if it's empty. */
export function writeUserSession(host: Needs<'baseUrl'>, response: Response, sessionIds: readonly string[]) {
  cookieWriter(host, SESSION_COOKIE)(response, sessionIds.join(SEPARATOR) || undefined);
}

/** Lists the accounts that are signed in to this browser. `isCurrent` is true for the one that pages act for. */
export async function listAccounts(needs: SessionServices, request: Request) {
  const { earlier } = sessionStartOf(needs, request);
  const accounts = await listBrowserAccounts(needs.db, earlier, needs.clock.now());
  const { current } = sessionIdsIn(needs, request);
  return accounts.map((account) => ({ ...account, isCurrent: account.sessionId === current }));
}

/** Makes pages act for another account of this browser. False if it isn't signed in here. */
export async function chooseAccount(needs: SessionServices, visit: Visit, userId: string): Promise<boolean> {
  const accounts = await listAccounts(needs, visit.request);
  const chosen = accounts.find(({ id }) => id === userId);
  if (chosen === undefined) return false;
  const ids = [chosen, ...accounts.filter((account) => account !== chosen)].map(({ sessionId }) => sessionId);
  writeUserSession(needs, visit.response, ids);
  return true;
}

/** Signs out all accounts, or one. If it was the current one, pages act for nobody until the user chooses another. */
export async function endUserSession(needs: SessionServices, { request, response }: Visit, userId?: string) {
  const accounts = await listAccounts(needs, request);
  const isEnded = ({ id }: BrowserAccount) => userId === undefined || id === userId;
  for (const { sessionId } of accounts.filter(isEnded)) await endSession(needs.db, sessionId);
  const kept = accounts.filter((account) => !isEnded(account));
  const ids = kept.map(({ sessionId }) => sessionId);
  writeUserSession(needs, response, kept[0]?.isCurrent === true ? ids : ['', ...ids]);
}
