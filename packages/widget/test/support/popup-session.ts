import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../../src/session/index.js';
import { clientId } from './client-id.js';
import { createFakeApi } from './fake-api.js';
import { createFakeTime } from './fake-time.js';
import { until } from './until.js';

/** The fake service: the same server under another name, and so another site. */
export const SERVICE = location.origin.replace('localhost', '127.0.0.1');

const open: LoginSession[] = [];

/** Returns the callback page of the fake service. */
function hostedCallback(client: string): string {
  return `${SERVICE}/widget/callback/${client}`;
}

/** Ends every session of a test, and closes their popups. */
export function disposeSessions(): void {
  for (const session of open.splice(0)) session.dispose();
}

/** Has a session ended with the test. */
export function track(session: LoginSession): LoginSession {
  open.push(session);
  return session;
}

/** A session whose popup really opens at the fake service, and whose requests go to a fake API at a fake time. */
export function createTestSession(options: Partial<LoginSessionOptions> = {}) {
  const api = createFakeApi();
  const time = createFakeTime();
  const session = createLoginSession({
    clientId: clientId('good'),
    serviceUrl: SERVICE,
    callbackUrl: hostedCallback(options.clientId ?? clientId('good')),
    fetch: api.fetch,
    clock: time.clock,
    timers: time.timers,
    ...options,
  });
  open.push(session);
  return { session, api, time };
}

/** The same, signed in. */
export async function createSignedInSession(options: Partial<LoginSessionOptions> = {}) {
  const world = createTestSession(options);
  await world.session.prepare();
  world.session.signIn();
  await until('signed in', () => {
    const { signedIn, failure } = world.session.snapshot;
    if (failure) throw new Error(failure.message);
    return signedIn;
  });
  return world;
}
