import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { fillIn, hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { CONFIDENTIAL, it, PUBLIC } from './service-under-test.js';
import {
  type ClientIndex,
  checkAccess,
  command,
  endAccess,
  fromNewest,
  hasGrants,
  hasPairs,
  issueCode,
  type Model,
  other,
  type Proof,
  redeemCode,
  refreshPair,
  revokeToken,
  type TokenKind,
} from './token-model.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PEOPLE = ['ada@example.com', 'ben@example.com'] as const;
const CLIENT_IDS = [PUBLIC, CONFIDENTIAL] as const;
const SESSIONS = { path: '/account/sessions', action: '/account/sessions/end' };

const which = fc.constantFrom<ClientIndex>(0, 1);
/** Prefers the newest item, with some older ones. */
const back = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 5);
const person = fc.constantFrom<ClientIndex>(0, 0, 1);

const issue = fc.record({ client: which, person, challenge: fc.boolean() });

const signIn = issue.map((wanted) =>
  command(
    `sign in (${JSON.stringify(wanted)})`,
    () => true,
    async (model, service) => {
      const grant = await issueCode(model, service, wanted);
      await redeemCode(model, service, { grant, proof: 'right' });
    },
  ),
);

const requestCode = issue.map((wanted) =>
  command(
    `code (${JSON.stringify(wanted)})`,
    () => true,
    async (model, service) => void (await issueCode(model, service, wanted)),
  ),
);

const proofs: Proof[] = [
  ...(['right', 'right', 'right', 'right', 'wrong verifier'] as const),
  ...(['no verifier', 'wrong address', 'bad secret', 'other client'] as const),
];
const redeem = fc
  .tuple(back, fc.constantFrom(...proofs))
  .map(([at, proof]) =>
    command(
      `redeem (${at} back, ${proof})`,
      hasGrants,
      async (model, service) =>
        await redeemCode(model, service, { grant: fromNewest(model.grants, at), proof }),
    ),
  );

const refresh = fc
  .tuple(back, fc.constantFrom('right', 'right', 'right', 'right', 'bad secret', 'other client'))
  .map(([at, proof]) =>
    command(
      `refresh (${at} back, ${proof})`,
      hasPairs,
      async (model, service) =>
        await refreshPair(model, service, { pair: fromNewest(model.pairs, at), proof }),
    ),
  );

const revoke = fc
  .tuple(
    back,
    fc.constantFrom<TokenKind>('access_token', 'refresh_token'),
    fc.constantFrom(true, true, false),
  )
  .map(([at, kind, isOwn]) =>
    command(
      `revoke (${at} back, ${kind}, ${isOwn ? 'own' : 'foreign'})`,
      hasPairs,
      async (model, service) => {
        const pair = fromNewest(model.pairs, at);
        const client = isOwn ? pair.grant.client : other(pair.grant.client);
        await revokeToken(model, service, { pair, kind, client });
      },
    ),
  );

/** Revokes a token that was rotated already, which also revokes its successors. */
const revokeRotated = issue.map((wanted) =>
  command(
    `sign in, refresh, revoke the rotated token (${JSON.stringify(wanted)})`,
    () => true,
    async (model, service) => {
      const { client } = wanted;
      const grant = await issueCode(model, service, wanted);
      await redeemCode(model, service, { grant, proof: 'right' });
      const pair = fromNewest(model.pairs, 0);
      await refreshPair(model, service, { pair, proof: 'right' });
      await revokeToken(model, service, { pair, kind: 'refresh_token', client });
    },
  ),
);

const wait = fc
  .constantFrom(MINUTE - 1, MINUTE, HOUR - 1, HOUR, 1, 15 * DAY, 30 * DAY - 1, 30 * DAY, 31 * DAY)
  .map((ms) =>
    command(
      `wait (${ms} ms)`,
      () => true,
      async (_, service) => {
        service.clock.advance(ms);
        await service.server.runBackgroundWork();
      },
    ),
  );

const changeType = fc.tuple(which, fc.constantFrom('public', 'confidential')).map(([client, type]) =>
  command(
    `change type (${client}, ${type})`,
    () => true,
    async ({ secrets }, { server }) => {
      const { clientSecret } = await server.operator.change('clients', CLIENT_IDS[client], { type });
      secrets[client] = type === 'public' ? undefined : (clientSecret ?? secrets[client]);
    },
  ),
);

const signOut = fc.tuple(person, fc.boolean()).map(([who, apps]) =>
  command(
    `sign out everywhere (${who}${apps ? ', apps too' : ''})`,
    () => true,
    async (model, service) => {
      const browser = await signedIn(service, PEOPLE[who]);
      const answer = await fillIn(browser, SESSIONS, { which: 'all', ...(apps && { apps: 'on' }) });
      expect(answer.status).toBe(303);
      if (apps) endAccess(model, (grant) => grant.person === who);
    },
  ),
);

const disconnect = fc.tuple(person, which).map(([who, client]) =>
  command(
    `disconnect (${who}, client ${client})`,
    () => true,
    async (model, service) => {
      const browser = await signedIn(service, PEOPLE[who]);
      const fields = await hiddenFields(browser, SESSIONS.path, SESSIONS.action);
      const form = { ...fields, clientId: CLIENT_IDS[client] };
      expect((await browser.post('/account/apps/revoke', form)).status).toBe(303);
      endAccess(model, (grant) => grant.person === who && grant.client === client);
    },
  ),
);

const commands = fc.commands(
  [
    ...[signIn, signIn, signIn, requestCode, requestCode, redeem, redeem, redeem],
    ...[refresh, refresh, refresh, refresh, revoke, revokeRotated, wait, wait],
    ...[changeType, signOut, disconnect],
  ],
  { size: 'max', maxCommands: 25 },
);

describe('codes and tokens, compared with a model of their description', () => {
  it('are valid exactly when the model says, for commands of apps, users and time in any order', {
    tags: [
      'credentials.code-lifetime',
      'credentials.code-single-use',
      'credentials.access-token-lifetime',
      'credentials.refresh-token-lifetime',
      'credentials.refresh-sliding-window',
      'credentials.refresh-rotates',
      'credentials.refresh-revokes-access-token',
      'credentials.refresh-replay-invalid-grant',
      'credentials.refresh-replay-no-cascade',
      'credentials.revoked-access-token-dies-at-once',
      'credentials.revoked-refresh-token',
      'credentials.client-type-changeable',
      'token.verifier-required',
      'token.verifier-matches',
      'token.redirect-uri-same',
      'revoke.public-never-succeeds',
    ],
    timeout: 120_000,
  }, async ({ service }) => {
    const { operator } = service.server;
    const property = fc.asyncProperty(commands, async (sequence) => {
      // Resets the state of the previous run: each client gets its own type, and the confidential one a new
      // secret.
      for (const clientId of CLIENT_IDS) await operator.change('clients', clientId, { type: 'public' });
      const { clientSecret } = await operator.change('clients', CONFIDENTIAL, { type: 'confidential' });
      const model: Model = { grants: [], pairs: [], secrets: [undefined, clientSecret] };
      await fc.asyncModelRun(() => ({ model, real: service }), sequence);
      // Refreshing every token in order of age succeeds exactly for the valid ones.
      for (const pair of [...model.pairs]) await refreshPair(model, service, { pair, proof: 'right' });
      await checkAccess(model, service, true);
    });
    await fc.assert(property, fuzzRuns(12));
  });
});
