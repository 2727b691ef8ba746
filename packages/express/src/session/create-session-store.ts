import type { TokenSet } from '@latchkey/oauth';
import type { Settings } from '../options.js';
import { createSeal } from './seal.js';
import { SealedCookieStore } from './sealed-cookie-store.js';
import { ServerSideStore } from './server-side-store.js';
import { createReferenceCodec } from './session-reference.js';
import type { SessionStore } from './session-store.js';
import { SharedRefresh } from './shared-refresh.js';
import { StoreCalls } from './store-calls.js';
import { StoredSessions } from './stored-sessions.js';

/** What a store needs to know of the kit that it belongs to. */
export interface SessionStoreContext {
  /** Tells instances of the kit apart; they share no keys. */
  instance: string;
  cookieName: string;
  /** Longest that one refresh at the service takes, in milliseconds. */
  refreshTimeoutMs: number;
  /** Gives tokens back that nobody will hold. Never rejects. */
  discard(tokens: TokenSet): Promise<void>;
}

/** The sealed cookie, or what the options name. */
export function createSessionStore(settings: Settings, context: SessionStoreContext): SessionStore {
  const { cookieSecrets, sessionStore, sessionLock, storeTimeoutMs, clock, logger } = settings;
  const { instance, cookieName, refreshTimeoutMs, discard } = context;
  if (sessionStore === undefined) {
    return new SealedCookieStore(createSeal(cookieSecrets, `session ${instance}`), cookieName);
  }
  const records = new StoredSessions({
    calls: new StoreCalls(sessionStore, storeTimeoutMs),
    seal: createSeal(cookieSecrets, `stored session ${instance}`),
    life: settings,
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
