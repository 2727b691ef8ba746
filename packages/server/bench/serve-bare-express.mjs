// Reference server of the benchmark: bare Express routes that run the same SQL statements on the same engine, with the same
// durability. They have no validation, no error responses and no security headers.
//
//   node serve-bare-express.mjs <database> [normal]
//
// With `normal`, SQLite does not flush the disk before it acknowledges a commit (`synchronous` NORMAL).
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import pg from 'pg';

const HOUR = 3600_000;
const hashOf = (text) => createHash('sha256').update(text).digest('hex');
const bearerOf = (request) => request.headers.authorization.slice('Bearer '.length);

const { query, transaction } = process.argv[2].startsWith('sqlite:')
  ? openSqlite(process.argv[2].slice('sqlite:'.length))
  : openPostgres(process.argv[2]);

const app = express();
app.disable('etag');

app.get('/oauth/userinfo', async (request, response) => {
  const [row] = await query(
    'select token_pairs.user_id as userId, token_pairs.client_id as clientId, token_pairs.scope, users.email from token_pairs inner join users on users.id = token_pairs.user_id where token_pairs.access_token_hash = $1 and token_pairs.access_revoked_at is null and token_pairs.access_expires_at > $2',
    [hashOf(bearerOf(request)), Date.now()],
  );
  response.json({ sub: row.userId ?? row.userid, email: row.email });
});

app.post('/oauth/token', express.urlencoded({ extended: false }), async (request, response) => {
  const { client_id: clientId, refresh_token: refreshToken } = request.body;
  await query('select * from oauth_clients where client_id = $1', [clientId]);
  const access = randomBytes(32).toString('base64url');
  const refresh = randomBytes(32).toString('base64url');
  const now = Date.now();
  const scope = await transaction(function* () {
    const [spent] = yield [
      'update token_pairs set refresh_spent_at = $1, access_revoked_at = coalesce(access_revoked_at, $2) where refresh_token_hash = $3 and client_id = $4 and refresh_spent_at is null and refresh_expires_at > $5 returning code_id, client_id, user_id, scope',
      [now, now, hashOf(refreshToken), clientId, now],
    ];
    yield [
      'insert into token_pairs (id, code_id, client_id, user_id, scope, access_token_hash, access_expires_at, access_revoked_at, refresh_token_hash, refresh_expires_at, refresh_spent_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      [
        randomUUID(),
        spent.code_id,
        spent.client_id,
        spent.user_id,
        spent.scope,
        hashOf(access),
        now + HOUR,
        null,
        hashOf(refresh),
        now + 720 * HOUR,
        null,
      ],
    ];
    return spent.scope;
  });
  response.status(201).json({
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: 3600,
    scope,
  });
});

/** Runs the two statements that precede every call with an API key. */
async function authorize(request, communityId) {
  const [key] = await query(
    'select id, owner_id, permissions, exists (select provisioning_grants.user_id from provisioning_grants where provisioning_grants.user_id = api_keys.owner_id) as may_provision from api_keys where key_hash = $1 and revoked_at is null',
    [hashOf(bearerOf(request))],
  );
  await query(
    'select communities.id, communities.name, community_roles.role from communities left join community_roles on community_roles.community_id = communities.id and community_roles.user_id = $1 and community_roles.is_active = $2 where communities.id = $3 and communities.closed_at is null',
    [key.owner_id, 1, communityId],
  );
}

app.get('/membership/check-messenger/:communityId/:messengerUserId', async (request, response) => {
  const { communityId, messengerUserId } = request.params;
  await authorize(request, communityId);
  const now = Date.now();
  const [row] = await query(
    'select memberships.id from memberships inner join users on users.id = memberships.user_id where users.messenger_user_id = $1 and memberships.community_id = $2 and not exists (select link.id from community_emails as link where link.community_id = memberships.community_id and link.user_id = memberships.user_id) and (memberships.valid_from <= $3 and (memberships.valid_until is null or memberships.valid_until > $4))',
    [Number(messengerUserId), communityId, now, now],
  );
  response.json({ success: true, data: { isActive: row !== undefined, membershipId: row?.id ?? null } });
});

app.post('/membership/provision-external', express.json(), async (request, response) => {
  const { communityId, externalOrderId, email } = request.body;
  await authorize(request, communityId);
  const now = Date.now();
  const membership = await transaction(function* () {
    const [user] = yield [
      'select users.id, users.email, users.name, users.messenger_user_id, link.shown_id, link.email as named_email from users left join community_emails as link on link.user_id = users.id and link.community_id = $1 where users.email = $2 union all select users.id, users.email, users.name, users.messenger_user_id, link.shown_id, link.email as named_email from community_emails as link inner join users on users.id = link.user_id where link.community_id = $3 and link.email = $4',
      [communityId, email, communityId, email],
    ];
    const [row] = yield [
      'update memberships set valid_from = valid_from where user_id = $1 and community_id = $2 returning *',
      [user.id, communityId],
    ];
    yield [
      'select id, plan_id as planId, starts_at as startsAt, ends_at as endsAt, source, payment_id as paymentId, subscription_id as subscriptionId, ordered_plan_id as orderedPlanId from membership_periods where membership_id = $1 and (ends_at is null or ends_at > $2) order by starts_at',
      [row.id, now],
    ];
    const changed = { ...row, external_order_id: externalOrderId };
    yield [
      'update memberships set valid_from = $1, valid_until = $2, pricing_plan_id = $3, external_order_id = $4, subscription_id = $5, subscription_cancelled_at = $6, renews_at = $7, plan_changes_at = $8, lapse_announced_at = $9 where id = $10',
      [
        changed.valid_from,
        changed.valid_until,
        changed.pricing_plan_id,
        changed.external_order_id,
        null,
        null,
        null,
        null,
        changed.lapse_announced_at,
        changed.id,
      ],
    ];
    yield [
      'insert into audit_entries (id, created_at, actor_kind, actor_id, action, subject_id, community_id, details) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [randomUUID(), now, 'key', null, 'membership.change', changed.id, communityId, '{}'],
    ];
    const body = { type: 'membership.updated', data: { membership: changed, user: { sub: user.id, email } } };
    yield [
      'insert into webhook_events (id, type, community_id, product_id, body, created_at) values ($1, $2, $3, $4, $5, $6)',
      [randomUUID(), body.type, communityId, null, JSON.stringify(body), now],
    ];
    yield [
      'select id, paused_at from webhooks where is_active = $1 and (exists (select role.user_id from community_roles as role where role.community_id = webhooks.community_id and role.user_id = webhooks.owner_id and role.role = $2 and role.is_active = $3) or exists (select products.id from products where products.id = webhooks.product_id and products.owner_id = webhooks.owner_id)) and community_id = $4',
      [1, 'OWNER', 1, communityId],
    ];
    return changed;
  });
  response.json({
    success: true,
    data: { membershipId: membership.id, userId: membership.user_id, validFrom: membership.valid_from },
  });
});

const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => process.send({ bytes: process.memoryUsage.rss(), cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());

function openSqlite(path) {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const synchronous = process.argv[3] === 'normal' ? 'NORMAL' : 'FULL';
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  const statements = new Map();
  const run = (sql, values) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql.replaceAll(/\$\d+/g, '?'));
      statements.set(sql, statement);
    }
    return statement.all(...values);
  };
  return {
    query: run,
    transaction(work) {
      run('begin immediate', []);
      const steps = work();
      let step = steps.next();
      while (!step.done) step = steps.next(run(...step.value));
      run('commit', []);
      return step.value;
    },
  };
}

function openPostgres(url) {
  const types = { getTypeParser: (id, format) => (id === 20 ? Number : pg.types.getTypeParser(id, format)) };
  const pool = new pg.Pool({ connectionString: url, max: 10, types });
  const names = new Map();
  const run = async (client, text, values) => {
    if (!names.has(text)) names.set(text, `statement ${names.size}`);
    return (await client.query({ name: names.get(text), text, values })).rows;
  };
  return {
    query: (sql, values) => run(pool, sql, values),
    async transaction(work) {
      const client = await pool.connect();
      await client.query('begin');
      const steps = work();
      let step = steps.next();
      while (!step.done) step = steps.next(await run(client, ...step.value));
      await client.query('commit');
      client.release();
      return step.value;
    },
  };
}
