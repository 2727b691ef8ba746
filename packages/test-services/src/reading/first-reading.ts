import { randomToken } from '../state/grants.js';
import { randomId } from '../state/ids.js';
import { API_KEY_DATA } from './api-key-data.js';
import {
  hasChallengeIfPublic,
  hasRegisteredRedirectUri,
  hasScope,
  hasStateOfAllowedLength,
  hasSupportedChallenge,
  namesKnownClient,
} from './authorize-checks.js';
import { firstBody } from './first-webhook-body.js';
import { FIRST_MESSAGES } from './messages.js';
import type { Reading } from './reading.js';
import {
  authenticatesClient,
  hasFieldsOfGrant,
  hasVerifierOfAllowedLength,
  namesClient,
  namesKnownGrant,
} from './token-checks.js';

/** The reading of the reference server, as far as the fake service has its choices. */
export const FIRST_READING: Reading = {
  subject: (user) => user.sub,
  userId: (user) => user.sub,
  newId: randomId,
  newToken: () => randomToken(),

  authorizeChecks: [
    namesKnownClient,
    hasChallengeIfPublic,
    hasRegisteredRedirectUri,
    hasScope,
    hasStateOfAllowedLength,
    hasSupportedChallenge,
  ],
  tokenChecks: [
    namesClient,
    authenticatesClient,
    namesKnownGrant,
    hasFieldsOfGrant,
    hasVerifierOfAllowedLength,
  ],
  authorizeResult: (fields) => fields,
  tokenPair: (fields) => ({ ...fields, unknown_field: true }),
  lists: () => true,
  membership: (membership) => membership,
  product: (product) => product,
  client: ({ clientId, name }) => ({ clientId, name }),
  revokesSuccessors: false,

  apiKeyData: API_KEY_DATA,
  unknownCommunityStatus: 403,
  period: (period) => period,
  keepsMembershipId: true,
  checkoutHostname: undefined,
  returnUrl: (successUrl) => successUrl,

  messages: FIRST_MESSAGES,
  description: (_error, description) => description,
  success: (data) => ({ success: true, data }),
  json: (body, status) => Response.json(body, { status }),
  cors: () => ({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type',
  }),
  preflightStatus: 204,
  latencyMs: 0,

  method: 'POST',
  signature: (hmac) => [...hmac].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  webhookBody: firstBody,
  order: (events) => events,
  deliveryPausesMs: [0, 20, 60, 180, 540],
  deliversTwice: false,
  sharesSecrets: false,
};
