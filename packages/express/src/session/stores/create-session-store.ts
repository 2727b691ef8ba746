import type { TokenSet } from '@latchkey/oauth';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logger.js';
import { createSeal } from '../model/seal.js';
import type { SessionLifetime } from '../model/session.js';
import type { SessionLock } from '../model/session-lock.js';
import type { SessionStore } from '../model/session-store.js';
import type { ExpressSessionStore } from './express-session-store.js';
import { SealedCookieStore } from './sealed-cookie-store.js';
import { ServerSideStore } from './server-side-store.js';
import { createReferenceCodec } from './session-reference.js';
import { SharedRefresh } from './shared-refresh.js';
import { StoreCalls } from './store-calls.js';
import { StoredSessions } from './stored-sessions.js';

export interface SessionStoreSettings extends SessionLifetime {
  cookieSecrets: readonly [string, ...string[]];
  /** Undefined for sealed cookies. */
  sessionStore: ExpressSessionStore | undefined;
  sessionLock: SessionLock | undefined;
  storeTimeoutMs: number;
  clock: Clock;
  logger: Logger;
}

export interface SessionStoreContext {
  /** Identifies the instance. Instances share no keys. */
  instance: string;
  cookieName: string;
  /** Maximum duration of a token refresh, in milliseconds. */
  refreshTimeoutMs: number;
  /** Revokes tokens that no session will use. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/** Creates the sealed-cookie store, or the server-side store if the options name one. */
export function createSessionStore(
  settings: SessionStoreSettings,
  context: SessionStoreContext,
): SessionStore {
  const { cookieSecrets, sessionStore, sessionLock, storeTimeoutMs, clock, logger } = settings;
  const { instance, cookieName, refreshTimeoutMs, discard } = context;
  if (sessionStore === undefined) {
    const seal = createSeal(cookieSecrets, `session ${instance}`);
    return new SealedCookieStore(seal, { cookieName, clock });
  }
  const records = new StoredSessions({
    calls: new StoreCalls(sessionStore, storeTimeoutMs),
    seal: createSeal(cookieSecrets, `stored session ${instance}`),
    lifetime: settings,
    clock,
    logger,
  });
  const shared = new SharedRefresh({
    records,
    lock: sessionLock,
    logger,
    storeTimeoutMs,
    sendTimeoutMs: refreshTimeoutMs,
    discard,
  });
  return new ServerSideStore({
    codec: createReferenceCodec(cookieSecrets, `session reference ${instance}`),
    records,
    shared,
    logger,
    discard,
  });
}
