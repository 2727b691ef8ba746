import {
  at,
  BUY,
  bearerOf,
  CHECK,
  CLIENT,
  dataOf,
  type Fault,
  INVITE,
  isRejection,
  isSuccess,
  json,
  jsonOf,
  onJson,
  onReply,
  onRequestJson,
  PROVISION,
  SIGNUP,
  type Where,
} from './fault.js';

const anywhere: Where = () => true;
const UNKNOWN_LINK = at('/unknown-');

const UNKNOWN = json(404, { success: false, errorCode: 'not_found', message: 'unknown' });

const onRejection = (change: (body: Record<string, unknown>) => void) =>
  onJson(anywhere, (body) => {
    if (isRejection(body)) change(body);
  });

const onUnknownLink = (change: (body: Record<string, unknown>) => void) =>
  onJson(UNKNOWN_LINK, (body, { status }) => {
    if (status === 404) change(body);
  });

const onIdentity = (change: (data: Record<string, unknown>) => void) =>
  onJson(CLIENT, (body, reply) => {
    if (isSuccess(reply)) change(dataOf(body));
  });

/** Faults in the shared formats, in API keys and in the identity of clients. */
export const SHAPE_FAULTS: readonly Fault[] = [
  {
    name: 'errorCode in rejection bodies',
    breaks: 'rejection.no-error-code',
    coupled: { 'api-key.rejected-key-no-error-code': 'a rejected key gives a rejection body' },
    handler: onRejection((body) => {
      body.errorCode = 'unauthorized';
    }),
  },
  {
    name: 'data in rejection bodies',
    breaks: 'rejection.no-data',
    handler: onRejection((body) => {
      body.data = null;
    }),
  },
  {
    name: 'success true in rejection bodies',
    breaks: 'rejection.success-false',
    handler: onRejection((body) => {
      body.success = true;
    }),
  },
  {
    name: 'no message in rejection bodies',
    breaks: 'rejection.message',
    handler: onRejection((body) => {
      delete body.message;
    }),
  },
  {
    name: 'statusCode as a string',
    breaks: 'rejection.status-code',
    handler: onRejection((body) => {
      body.statusCode = String(body.statusCode);
    }),
  },
  {
    name: 'timestamp as a number',
    breaks: 'rejection.timestamp',
    handler: onRejection((body) => {
      body.timestamp = 17;
    }),
  },
  {
    name: 'timestamps without milliseconds',
    breaks: 'general.timestamp-format',
    handler: onRejection((body) => {
      body.timestamp = String(body.timestamp).replace(/\.\d+Z$/, 'Z');
    }),
  },
  {
    name: 'path of another request',
    breaks: 'rejection.path',
    handler: onRejection((body) => {
      body.path = '/elsewhere';
    }),
  },
  {
    name: 'a rejected field as an envelope',
    breaks: 'rejection.before-endpoint',
    handler: onReply(anywhere, (reply) =>
      reply.status === 400 && isRejection(jsonOf(reply))
        ? json(400, { success: false, errorCode: 'bad_request', message: 'invalid' })
        : undefined,
    ),
  },
  {
    name: 'an endpoint failure as a rejection body',
    breaks: 'envelope.endpoint-failure',
    handler: onUnknownLink((body) => {
      delete body.errorCode;
      body.statusCode = 404;
    }),
  },
  {
    name: 'success true in a 404',
    breaks: 'envelope.endpoint-failure',
    handler: onUnknownLink((body) => {
      body.success = true;
    }),
  },
  {
    name: 'success missing in a 409',
    breaks: 'envelope.endpoint-failure',
    handler: onJson(anywhere, (body, { status }) => {
      if (status === 409) delete body.success;
    }),
  },
  {
    name: 'errorCode in upper case',
    breaks: 'envelope.error-code-format',
    handler: onUnknownLink((body) => {
      body.errorCode = 'NOT_FOUND';
    }),
  },
  {
    name: 'an unknown errorCode where the specification names one',
    breaks: 'envelope.error-code-known-values',
    coupled: { 'client-identity.unknown-client': 'the named value is not_found' },
    handler: onJson(CLIENT, (body, { status }) => {
      if (status === 404) body.errorCode = 'no_such_client';
    }),
  },
  {
    name: 'a failure without a message',
    breaks: 'envelope.message-on-failure',
    handler: onUnknownLink((body) => {
      delete body.message;
    }),
  },
  {
    name: 'data in a failure',
    breaks: 'envelope.data-absent-on-failure',
    handler: onUnknownLink((body) => {
      body.data = {};
    }),
  },
  {
    name: 'correlationKey without a trace id',
    breaks: 'envelope.correlation-key-presence',
    handler: onUnknownLink((body) => {
      body.correlationKey = 'abc';
    }),
  },
  {
    name: 'logUrl without a trace id',
    breaks: 'envelope.log-url-presence',
    handler: onUnknownLink((body) => {
      body.logUrl = 'https://logs.example/1';
    }),
  },
  {
    name: 'success as a string',
    breaks: 'envelope.success-true',
    handler: onJson(PROVISION, (body, reply) => {
      if (isSuccess(reply)) body.success = 'true';
    }),
  },
  {
    name: 'errorCode in a success',
    breaks: 'envelope.error-code-absent-on-success',
    handler: onJson(PROVISION, (body, reply) => {
      if (isSuccess(reply)) body.errorCode = 'ok';
    }),
  },
  {
    name: 'an X-Api-Version header',
    breaks: 'versioning.no-version-header',
    handler: onReply(anywhere, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'x-api-version': '2' },
    })),
  },
  {
    name: 'JSON as text/plain',
    breaks: 'general.json-over-https',
    handler: onReply(CLIENT, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/plain' },
    })),
  },
  {
    name: 'an OpenID Connect discovery document',
    breaks: 'general.no-openid-connect',
    handler: onReply(at('/.well-known/openid-configuration'), () =>
      json(200, { issuer: 'https://service.example' }),
    ),
  },
  {
    name: 'a token introspection endpoint',
    breaks: 'general.seven-oauth-endpoints',
    handler: onReply(at('/oauth/introspect'), () => json(200, { active: false })),
  },
  {
    name: 'an API key accepted at userinfo',
    breaks: 'general.five-api-key-endpoints',
    handler: onReply(at('/oauth/userinfo'), (_reply, { headers }) =>
      headers.authorization?.startsWith('Bearer svc_') ? json(200, { sub: 'x', email: null }) : undefined,
    ),
  },
  {
    name: 'an unknown key with 403',
    breaks: 'api-key.unknown-key',
    handler: onReply(anywhere, (reply, { headers }) =>
      headers.authorization?.includes('00000000000') && reply.status === 401
        ? { ...reply, status: 403, body: reply.body.replace('401', '403') }
        : undefined,
    ),
  },
  {
    name: 'a malformed key with 400',
    breaks: 'api-key.malformed-key',
    handler: onReply(INVITE, (reply, { headers }) =>
      headers.authorization === 'Bearer not-a-key'
        ? { ...reply, status: 400, body: reply.body.replace('401', '400') }
        : undefined,
    ),
  },
  {
    name: 'a key accepted in X-Api-Key',
    breaks: 'api-key.no-x-api-key',
    handler: () => async (request, forward) => {
      const key = request.headers['x-api-key'];
      if (key === undefined) return await forward(request);
      return await forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } });
    },
  },
  {
    name: 'a missing permission with 401',
    breaks: 'api-key.missing-permission',
    handler: ({ keys }) =>
      onReply(CHECK, (reply, { headers }) =>
        headers.authorization === `Bearer ${keys.without.MEMBERSHIP_READ}`
          ? { ...reply, status: 401, body: reply.body.replace('403', '401') }
          : undefined,
      )(),
  },
  {
    name: 'a missing role with 404',
    breaks: 'api-key.missing-role',
    handler: ({ keys }) =>
      onReply(CHECK, (_reply, { headers }) =>
        headers.authorization === `Bearer ${keys.outsider}` ? UNKNOWN : undefined,
      )(),
  },
  {
    name: 'a missing permission at drop signup with 400',
    breaks: 'api-key.missing-permission',
    handler: ({ keys }) =>
      onReply(SIGNUP, (reply, request) =>
        bearerOf(request) === keys.without.DROP_NOTIFICATION_WRITE
          ? { ...reply, status: 400, body: reply.body.replace('403', '400') }
          : undefined,
      )(),
  },
  {
    name: 'a missing permission at the invite link with 404',
    breaks: 'api-key.missing-permission',
    coupled: { 'api-key.invite-link-permission': 'the 404 of an unknown reservation is no refusal' },
    handler: ({ keys }) =>
      onReply(INVITE, (_reply, request) =>
        bearerOf(request) === keys.without.MEMBERSHIP_WRITE ? UNKNOWN : undefined,
      )(),
  },
  {
    name: 'a missing role at buy-plan with 404',
    breaks: 'api-key.missing-role',
    coupled: { 'buy-plan.rejections': 'it is the same rule at this endpoint' },
    handler: ({ keys }) =>
      onReply(BUY, (_reply, request) => (bearerOf(request) === keys.outsider ? UNKNOWN : undefined))(),
  },
  {
    name: 'a missing role at provisioning as an envelope',
    breaks: 'rejection.before-endpoint',
    handler: ({ keys }) =>
      onReply(PROVISION, (_reply, request) =>
        bearerOf(request) === keys.outsider
          ? json(403, { success: false, errorCode: 'forbidden', message: 'no role' })
          : undefined,
      )(),
  },
  {
    name: 'errorCode in the rejection of a missing role at drop signup',
    breaks: 'rejection.no-error-code',
    handler: ({ keys }) =>
      onJson(SIGNUP, (body, _reply, request) => {
        if (bearerOf(request) === keys.outsider) body.errorCode = 'forbidden';
      })(),
  },
  {
    name: 'an unknown reservation with 400',
    breaks: 'invite-link.unknown-external-id',
    coupled: { 'api-key.status-not-found': '404 is the status of an unknown reservation' },
    handler: onReply(UNKNOWN_LINK, (reply) => (reply.status === 404 ? { ...reply, status: 400 } : undefined)),
  },
  {
    name: 'a rate limit',
    breaks: 'api-key.no-rate-limit',
    handler() {
      let count = 0;
      return async (request, forward) => {
        if (!UNKNOWN_LINK(request)) return await forward(request);
        count += 1;
        return count > 4 ? json(429, { success: false, message: 'slow down' }) : await forward(request);
      };
    },
  },
  {
    name: 'clientId missing in the identity',
    breaks: 'client-identity.client-id',
    handler: onIdentity((data) => {
      delete data.clientId;
    }),
  },
  {
    name: 'an empty name in the identity',
    breaks: 'client-identity.name',
    handler: onIdentity((data) => {
      data.name = '';
    }),
  },
  {
    name: 'unset keys as null in the identity',
    breaks: 'client-identity.unset-keys-omitted',
    handler: onIdentity((data) => {
      data.description ??= null;
    }),
  },
  {
    name: 'widgetOriginAllowed without widget_origin',
    breaks: 'client-identity.widget-origin-allowed-presence',
    handler: onIdentity((data) => {
      data.widgetOriginAllowed ??= false;
    }),
  },
  {
    name: 'every widget origin allowed',
    breaks: 'client-identity.widget-origin',
    coupled: { 'credentials.registered-widget-origins': 'the answer is the only sign of the registration' },
    handler: onIdentity((data) => {
      if ('widgetOriginAllowed' in data) data.widgetOriginAllowed = true;
    }),
  },
  {
    name: 'the identity of an unknown client with 400',
    breaks: 'client-identity.unknown-client',
    handler: onReply(CLIENT, (reply) => (reply.status === 404 ? { ...reply, status: 400 } : undefined)),
  },
  {
    name: 'isActive as text',
    breaks: 'check-messenger.result-is-active',
    coupled: { 'check-messenger.point-in-time': 'the change of isActive is the change of the answer' },
    handler: onJson(CHECK, (body, reply) => {
      if (isSuccess(reply)) dataOf(body).isActive = String(dataOf(body).isActive);
    }),
  },
  {
    name: 'a messenger account that is no integer accepted',
    breaks: 'check-messenger.messenger-user-id',
    handler: onReply(CHECK, (_reply, { path }) =>
      path.endsWith('/1.5')
        ? json(200, { success: true, data: { isActive: false, membershipId: null } })
        : undefined,
    ),
  },
  {
    name: 'membershipId missing without a membership',
    breaks: 'check-messenger.result-membership-id',
    handler: onJson(CHECK, (body, reply) => {
      if (isSuccess(reply) && dataOf(body).membershipId === null) delete dataOf(body).membershipId;
    }),
  },
  {
    name: 'a malformed community id with 404',
    breaks: 'check-messenger.community-id',
    handler: onReply(CHECK, (reply, { path }) =>
      path.includes('/not-a-uuid/') && reply.status === 400
        ? { ...reply, status: 404, body: reply.body.replace('400', '404') }
        : undefined,
    ),
  },
  {
    name: 'a phoneNumber of any type accepted',
    breaks: 'api-key.status-validation',
    handler: onRequestJson(SIGNUP, (body) => {
      if (typeof body.phoneNumber !== 'string') delete body.phoneNumber;
    }),
  },
  {
    name: 'an address with a query as successUrl refused',
    breaks: 'api-key.envelope',
    handler: onReply(BUY, (reply, request) =>
      String(jsonOf(request).successUrl).includes('?') ? { ...reply, status: 500 } : undefined,
    ),
  },
  {
    name: 'buy-plan success with 200',
    breaks: 'buy-plan.success-created',
    handler: onReply(BUY, (reply) =>
      'checkoutUrl' in dataOf(jsonOf(reply)) ? { ...reply, status: 200 } : undefined,
    ),
  },
];
