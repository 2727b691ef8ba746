import {
  type Fault,
  formOf,
  isSuccess,
  json,
  jsonOf,
  onForm,
  onJson,
  onList,
  onReply,
  REVOKE,
  TOKEN,
  USERINFO,
  type Where,
} from './fault.js';
import {
  cascade,
  codesTwice,
  eternalAccess,
  honours,
  lateCodes,
  oldAccessToken,
  onRefresh,
} from './stateful-handlers.js';

const isOAuth: Where = ({ path }) => path.startsWith('/oauth/');

const onPair = (change: (pair: Record<string, unknown>) => void) => onList(TOKEN, change);

/** Faults of tokens and of their revocation. */
export const TOKEN_FAULTS: readonly Fault[] = [
  {
    name: 'the token endpoint with 200',
    breaks: 'token.success-created',
    handler: onReply(TOKEN, (reply) => (isSuccess(reply) ? { ...reply, status: 200 } : undefined)),
  },
  { name: 'a code redeemable twice', breaks: 'credentials.code-single-use', handler: codesTwice },
  { name: 'a refresh cascade', breaks: 'credentials.refresh-replay-no-cascade', handler: cascade },
  {
    name: 'the old access token after a refresh',
    breaks: 'credentials.refresh-revokes-access-token',
    handler: oldAccessToken,
  },
  {
    name: 'a WWW-Authenticate header',
    breaks: 'oauth-error.no-www-authenticate',
    handler: onReply(isOAuth, (reply) =>
      reply.status === 401
        ? { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer' } }
        : undefined,
    ),
  },
  {
    name: 'expires_in as text',
    breaks: 'token.pair-expires-in',
    handler: onPair((pair) => {
      pair.expires_in = '3600';
    }),
  },
  {
    name: 'token_type in lower case',
    breaks: 'token.pair-token-type',
    handler: onPair((pair) => {
      pair.token_type = 'bearer';
    }),
  },
  {
    name: 'scope separated by commas',
    breaks: 'token.pair-scope',
    coupled: { 'authorize.scope-separators': 'the granted scopes show which ones were read' },
    handler: onPair((pair) => {
      pair.scope = String(pair.scope).replaceAll(' ', ',');
    }),
  },
  {
    name: 'an id_token',
    breaks: 'general.no-openid-connect',
    handler: onPair((pair) => {
      pair.id_token = 'a.b.c';
    }),
  },
  {
    name: 'an envelope key in userinfo',
    breaks: 'oauth-error.bare-json-endpoints',
    handler: onList(USERINFO, (body) => {
      body.success = true;
    }),
  },
  {
    name: 'an envelope key in an OAuth error',
    breaks: 'oauth-error.bare-body',
    handler: onJson(TOKEN, (body, { status }) => {
      if (status === 400) body.success = false;
    }),
  },
  {
    name: 'error_description as a list',
    breaks: 'oauth-error.description',
    handler: onJson(TOKEN, (body, { status }) => {
      if (status === 400) body.error_description = [body.error_description];
    }),
  },
  {
    name: 'invalid_grant without a description',
    breaks: 'oauth-error.description',
    handler: onJson(TOKEN, (body) => {
      if (body.error === 'invalid_grant') delete body.error_description;
    }),
  },
  {
    name: 'invalid_token without a description',
    breaks: 'oauth-error.description',
    handler: onJson(USERINFO, (body) => {
      if (body.error === 'invalid_token') delete body.error_description;
    }),
  },
  {
    name: 'JSON refused at the token endpoint',
    breaks: 'token.json-body',
    handler: onReply(TOKEN, (reply, { headers }) =>
      headers['content-type'] === 'application/json' ? json(400, { error: 'invalid_request' }) : reply,
    ),
  },
  {
    name: 'a secret read from the Basic header',
    breaks: 'token.basic-client-invalid-client',
    handler: onForm(TOKEN, (form, { headers }) => {
      const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
      const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
      if (form.has('client_id') && !form.has('client_secret') && secret !== '')
        form.set('client_secret', secret);
    }),
  },
  {
    name: 'a client id read from the Basic header',
    breaks: 'token.basic-client-invalid-request',
    handler: onForm(TOKEN, (form, { headers }) => {
      const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
      const [id = ''] = Buffer.from(basic, 'base64').toString().split(':');
      if (id.startsWith('oac_') && !form.has('client_id')) form.set('client_id', id);
    }),
  },
  {
    name: 'a wrong Basic header refused',
    breaks: 'token.basic-header-not-read',
    handler: onReply(TOKEN, (reply, { headers, body }) =>
      headers.authorization?.startsWith('Basic ') && body.includes('client_secret=')
        ? json(401, { error: 'invalid_client', error_description: 'wrong' })
        : reply,
    ),
  },
  {
    name: 'a public client with a secret accepted',
    breaks: 'token.public-secret-refused',
    coupled: { 'oauth-error.invalid-client-public-secret': 'it is the same rule in the table of errors' },
    handler: ({ clients }) =>
      onForm(TOKEN, (form) => {
        if (form.get('client_id') === clients.public?.clientId) form.delete('client_secret');
      })(),
  },
  {
    name: 'an unknown client with 400',
    breaks: 'oauth-error.invalid-client-unknown',
    handler: onReply(TOKEN, (reply, { body }) =>
      body.includes(`oac_${'0'.repeat(24)}`) ? { ...reply, status: 400 } : undefined,
    ),
  },
  {
    name: 'a wrong verifier accepted',
    breaks: 'token.verifier-matches',
    handler: honours(
      (form) =>
        (form.get('code_verifier') ?? '').length === 43 && /callback$/.test(form.get('redirect_uri') ?? ''),
    ),
  },
  {
    name: 'a short verifier accepted',
    breaks: 'token.verifier-length',
    handler: honours((form) => form.get('code_verifier')?.length === 42),
  },
  {
    name: 'another redirect_uri accepted',
    breaks: 'token.redirect-uri-same',
    handler: honours((form) => form.get('redirect_uri')?.endsWith('/other') === true),
  },
  {
    name: 'a missing verifier accepted',
    breaks: 'token.verifier-required',
    handler: ({ clients }) =>
      honours(
        (form) =>
          form.get('client_id') === clients.public?.clientId &&
          !form.has('code_verifier') &&
          form.has('redirect_uri') &&
          form.has('code'),
      )(),
  },
  {
    name: 'a replayed refresh token as an invalid request',
    breaks: 'credentials.refresh-replay-invalid-grant',
    coupled: { 'oauth-error.invalid-grant-used': 'a replayed refresh token is a used one' },
    handler: onRefresh((chains) => async (request, forward) => {
      const reply = await forward(request);
      if (!TOKEN(request)) return reply;
      const form = formOf(request);
      chains.learn(form, reply);
      const isReplay = !isSuccess(reply) && chains.next.has(form.get('refresh_token') ?? '');
      return isReplay ? { ...reply, body: reply.body.replace('invalid_grant', 'invalid_request') } : reply;
    }),
  },
  {
    name: 'a missing code as an invalid grant',
    breaks: 'token.code-required',
    coupled: { 'oauth-error.invalid-request': 'a missing code is its example' },
    handler: onReply(TOKEN, (reply, request) => {
      const form = formOf(request);
      const isMissing = form.get('grant_type') === 'authorization_code' && !form.has('code');
      return isMissing
        ? { ...reply, body: reply.body.replace('invalid_request', 'invalid_grant') }
        : undefined;
    }),
  },
  {
    name: 'an access token that never expires',
    breaks: 'credentials.access-token-lifetime',
    needsClock: true,
    handler: eternalAccess,
  },
  {
    name: 'a code for two minutes',
    breaks: 'credentials.code-lifetime',
    needsClock: true,
    handler: lateCodes,
  },
  {
    name: 'a field of a token request that is no text as 500',
    breaks: 'token.error-status',
    handler: onReply(TOKEN, (reply, request) =>
      Object.values(jsonOf(request)).every((value) => typeof value === 'string')
        ? undefined
        : { ...reply, status: 500 },
    ),
  },
  {
    name: 'a description of invalid_client at revoke',
    breaks: 'revoke.invalid-client-no-description',
    handler: onJson(REVOKE, (body, { status }) => {
      if (status === 401) body.error_description = 'wrong';
    }),
  },
  {
    name: 'a description for a public client at revoke',
    breaks: 'revoke.invalid-client-no-description',
    handler: ({ clients }) =>
      onJson(REVOKE, (body, _reply, request) => {
        const isPublic = formOf(request).get('client_id') === clients.public?.clientId;
        if (isPublic) body.error_description = 'public';
      })(),
  },
  {
    name: 'no client_id at revoke as an invalid request',
    breaks: 'revoke.invalid-client-no-description',
    handler: onReply(REVOKE, (_reply, request) =>
      formOf(request).has('client_id') ? undefined : json(400, { error: 'invalid_request' }),
    ),
  },
  {
    name: 'an unknown client at revoke with 400',
    breaks: 'oauth-error.invalid-client-unknown',
    coupled: { 'revoke.invalid-client-no-description': 'it is the same rule at revoke' },
    handler: onReply(REVOKE, (reply, request) =>
      formOf(request).get('client_id') === `oac_${'0'.repeat(24)}` ? { ...reply, status: 400 } : undefined,
    ),
  },
  {
    name: 'no secret at revoke with 400',
    breaks: 'oauth-error.invalid-client-missing-secret',
    coupled: { 'revoke.invalid-client-no-description': 'it is the same rule at revoke' },
    handler: ({ clients }) =>
      onReply(REVOKE, (reply, request) => {
        const form = formOf(request);
        const isConfidential = form.get('client_id') === clients.confidential?.clientId;
        return isConfidential && !form.has('client_secret') ? { ...reply, status: 400 } : undefined;
      })(),
  },
  {
    name: 'a wrong secret accepted at revoke',
    breaks: 'oauth-error.invalid-client-wrong-secret',
    handler: ({ clients }) =>
      onReply(REVOKE, (reply, request) => {
        const form = formOf(request);
        const isConfidential = form.get('client_id') === clients.confidential?.clientId;
        const isWrong = isConfidential && form.get('client_secret') === `ocs_${'f'.repeat(48)}`;
        return isWrong ? { ...reply, status: 200, body: '' } : undefined;
      })(),
  },
  {
    name: 'a body of a revocation',
    breaks: 'revoke.success-empty',
    handler: onReply(REVOKE, (reply) => (isSuccess(reply) ? { ...reply, body: '{}' } : undefined)),
  },
  {
    name: 'an unknown token refused at revoke',
    breaks: 'revoke.unknown-token-succeeds',
    handler: onReply(REVOKE, (reply, { body }) =>
      body.includes('token=unknown-token') && !body.includes('hint') && isSuccess(reply)
        ? json(400, { error: 'invalid_request', error_description: 'unknown token' })
        : undefined,
    ),
  },
  {
    name: 'a hint of the type refused',
    breaks: 'revoke.token-type-hint',
    coupled: { 'revoke.unknown-token-succeeds': 'Some of its generated requests have a hint.' },
    handler: onReply(REVOKE, (_reply, { body }) =>
      body.includes('token_type_hint')
        ? json(400, { error: 'invalid_request', error_description: 'hint' })
        : undefined,
    ),
  },
  {
    name: 'a missing token at revoke accepted',
    breaks: 'revoke.token-required',
    handler: onReply(REVOKE, (reply, request) =>
      !formOf(request).has('token') ? { ...reply, status: 200, body: '' } : undefined,
    ),
  },
  {
    name: 'a public client that can revoke',
    breaks: 'revoke.public-never-succeeds',
    handler: ({ clients }) =>
      onReply(REVOKE, (reply, request) =>
        formOf(request).get('client_id') === clients.public?.clientId
          ? { ...reply, status: 200, body: '' }
          : undefined,
      )(),
  },
  {
    name: 'a revocation of access tokens without effect',
    breaks: 'credentials.revoked-access-token-dies-at-once',
    handler() {
      const access = new Set<string>();
      return async (request, forward) => {
        const isRevoked = REVOKE(request) && access.has(formOf(request).get('token') ?? '');
        if (isRevoked) return { status: 200, headers: {}, body: '' };
        const reply = await forward(request);
        if (TOKEN(request) && isSuccess(reply)) access.add(String(jsonOf(reply).access_token));
        return reply;
      };
    },
  },
  {
    name: 'a token with other characters refused at revoke',
    breaks: 'revoke.unknown-token-succeeds',
    handler: onReply(REVOKE, (_reply, request) =>
      /^[\w-]*$/.test(formOf(request).get('token') ?? '')
        ? undefined
        : json(400, { error: 'invalid_request', error_description: 'malformed' }),
    ),
  },
];
