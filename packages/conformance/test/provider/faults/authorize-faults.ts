import { AUTHORIZE, CLIENT, type Fault, json, onQuery, onRedirect, onReply, type Where } from './fault.js';

const anywhere: Where = () => true;

/** Faults of authorization and of the client's identity. */
export const AUTHORIZE_FAULTS: readonly Fault[] = [
  {
    name: 'scopes separated by spaces only',
    breaks: 'authorize.scope-separators',
    handler: onQuery(AUTHORIZE, (query) => {
      if (query.get('scope')?.includes(',')) query.set('scope', 'memberships.read');
    }),
  },
  {
    name: 'a long state cut off',
    breaks: 'authorize.state-max-length',
    coupled: { 'oauth-error.invalid-request': 'its generated requests contain long states' },
    handler: onQuery(AUTHORIZE, (query) => {
      const state = query.get('state');
      if (state !== null) query.set('state', state.slice(0, 1_024));
    }),
  },
  {
    name: 'a changed state',
    breaks: 'authorize.state-echoed',
    handler: onRedirect(anywhere, ({ searchParams }) => {
      const state = searchParams.get('state');
      if (state?.includes('ünï')) searchParams.set('state', state.replaceAll('+', ' '));
    }),
  },
  {
    name: 'the method plain accepted',
    breaks: 'authorize.method-s256-only',
    handler: onQuery(AUTHORIZE, (query) => {
      if (query.get('code_challenge_method') === 'plain') query.set('code_challenge_method', 'S256');
    }),
  },
  {
    name: 'a redirect URI matched as a prefix',
    breaks: 'authorize.redirect-uri-exact',
    handler: ({ clients }) =>
      onQuery(AUTHORIZE, (query) => {
        const registered = clients.public?.redirectUri ?? '';
        if (query.get('redirect_uri')?.startsWith(registered)) query.set('redirect_uri', registered);
      })(),
  },
  {
    name: 'response_type token refused',
    breaks: 'authorize.response-type-ignored',
    handler: onReply(AUTHORIZE, (reply, { path }) =>
      path.includes('response_type=token')
        ? json(400, { error: 'unsupported_response_type', error_description: 'only code' })
        : reply,
    ),
  },
  {
    name: 'the redirect URI checked before the challenge',
    breaks: 'authorize.challenge-checked-before-redirect-uri',
    handler: onReply(AUTHORIZE, (reply, { path }) =>
      path.includes('attacker.example') && !path.includes('code_challenge=')
        ? json(400, { error: 'invalid_request', error_description: 'The redirect_uri is not registered.' })
        : reply,
    ),
  },
  {
    name: 'an unknown scope with 400',
    breaks: 'authorize.unknown-scope',
    coupled: {
      'oauth-error.invalid-scope-redirect-only': 'the response is not a redirect',
    },
    handler: onReply(AUTHORIZE, (reply, { path }) =>
      path.includes('scope=members.write') ? json(400, { error: 'invalid_scope' }) : reply,
    ),
  },
  {
    name: 'a description in the error redirect',
    breaks: 'authorize.error-redirect-parameters',
    handler: onRedirect(anywhere, ({ searchParams }) => {
      if (searchParams.has('error')) searchParams.set('error_description', 'declined');
    }),
  },
  {
    name: 'a public client without a challenge',
    breaks: 'authorize.challenge-required-public',
    handler: ({ clients }) =>
      onQuery(AUTHORIZE, (query) => {
        const isOwn = query.get('redirect_uri') === clients.public?.redirectUri;
        if (isOwn && query.get('client_id') === clients.public?.clientId && !query.has('code_challenge')) {
          query.set('code_challenge', 'c'.repeat(43));
        }
      })(),
  },
  {
    name: 'a client id with other characters as 500',
    breaks: 'client-identity.unknown-client',
    handler: onReply(CLIENT, (reply, { path }) =>
      /\/[\w-]+(\?.*)?$/.test(path) ? undefined : { ...reply, status: 500 },
    ),
  },
];
