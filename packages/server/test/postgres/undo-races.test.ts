import { sandboxScenario } from '@latchkey/sandbox';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { actingAs, identifyActor } from '../../src/features/audit/audit.js';
import { findClient, updateClient } from '../../src/features/clients/clients.js';
import { undoEmailChange } from '../../src/features/email-change/email-change.js';
import { rotateTokenPair } from '../../src/features/oauth/token-pairs.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { hashSecret } from '../../src/platform/secrets.js';
import { hiddenFields } from '../area-forms.js';
import {
  callResource,
  confidentialRequest,
  consentFields,
  publicTokens,
  signedIn,
} from '../authorization-flow.js';
import { type Browser, locationOf } from '../browser.js';
import { PUBLIC, START } from '../service-under-test.js';
import { itWithDatabase as it } from '../service-with-database.js';

const { users } = sandboxScenario;

/** Resolves when a statement waits for a lock of another transaction. */
async function waiting(db: Database): Promise<void> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  if (rows.length === 0) await waiting(db);
}

/** Lets somebody undo that the user's address has changed from another one. */
async function storeChange(db: Database, userId: string): Promise<void> {
  const { email: new_email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('email_changes')
    .values({
      ...{ id: 'change', user_id: userId, old_email: 'earlier@example.com', new_email: new_email ?? '' },
      ...{ attempt_hash: null, undo_hash: hashSecret('undo'), changed_at: START, expires_at: START + 1 },
    })
    .execute();
}

const KEYS = '/developer/api-keys';
const FORMS = {
  'a new key': {
    action: KEYS,
    async fill(thief: Browser) {
      const fields = await hiddenFields(thief, `${KEYS}/new`, KEYS);
      return { ...fields, name: 'Bot', permissions: 'MEMBERSHIP_READ' };
    },
    left: (db: Database) => db.selectFrom('api_keys').select('name').where('name', '=', 'Bot').execute(),
  },
  'a consent': {
    action: '/oauth/consent',
    async fill(thief: Browser) {
      return { ...(await consentFields(thief, confidentialRequest())), decision: 'allow' };
    },
    left: (db: Database) => db.selectFrom('consents').select('client_id').execute(),
  },
};

it.for(Object.entries(FORMS))(
  'an undone change of address leaves nothing of a form that the thief has just sent: %s',
  async ([, { action, fill, left }], { service, db }) => {
    const thief = await signedIn(service, users.dana.email);
    const fields = await fill(thief);
    await storeChange(db, users.dana.id);
    const { sending } = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        expect(await undoEmailChange(transaction, 'undo', START)).toBe('undone');
        const sending = thief.post(action, fields);
        await waiting(db);
        return { sending };
      });
    expect(locationOf(await sending)).toBe('/sign-in?continue=%2Faccount');
    expect(await left(db)).toEqual([]);
  },
);

it('an undone change of address leaves an app that the thief changed no token of a refresh in flight', async ({
  service,
  db,
}) => {
  const { refresh_token: token } = await publicTokens(service);
  const userId = (await findClient(db, PUBLIC))?.ownerId ?? '';
  await actingAs('user', service.clock, async () => {
    identifyActor('user', userId);
    await updateClient(db, { clientId: PUBLIC, ownerId: userId }, {});
  });
  await storeChange(db, userId);
  const inFlight = await db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      const pair = await rotateTokenPair(transaction, { token, clientId: PUBLIC, now: START });
      const undoing = undoEmailChange(db, 'undo', START);
      await waiting(db);
      return { pair, undoing };
    });
  expect(await inFlight.undoing).toBe('undone');
  expect((await callResource(service, inFlight.pair?.accessToken ?? '')).status).toBe(401);
});
