import { createHash } from 'node:crypto';

export const CLIENT_ID = `oac_${'b'.repeat(24)}`;
export const API_KEY = `svc_${'k'.repeat(43)}`;
export const COMMUNITY_ID = 'c0000000-0000-4000-8000-000000000001';

/** Number of token pairs whose tokens the benchmark can send. */
export const KNOWN_PAIRS = 4_000;
/** Number of these pairs that the benchmark refreshes. Their access tokens become invalid. */
const REFRESHED_PAIRS = 1_000;

export const accessTokenOf = (index) => `access-token-of-the-benchmark-${`${index}`.padStart(13, '0')}`;
export const refreshTokenOf = (index) => `refresh-token-of-the-benchmark-${`${index}`.padStart(12, '0')}`;
export const hashOf = (text) => createHash('sha256').update(text).digest('hex');
export const emailOf = (index) => `u${`${index}`.padStart(10, '0')}@example.com`;

let nextChain = 0;

/**
 * Scenarios by name: the request to send and the expected response. Each request selects a random row, so that a cached row
 * does not decide the result.
 */
export const SCENARIOS = {
  userinfo: {
    makers: (count) =>
      repeat(count, () => ({
        next: () =>
          get('/oauth/userinfo', accessTokenOf(REFRESHED_PAIRS + random(KNOWN_PAIRS - REFRESHED_PAIRS))),
        answered: expectStatus(200),
      })),
  },
  refresh: {
    /** Each connection refreshes its own chain of pairs, like an app. `chains` contains the newest token of each chain. */
    makers: (count, { chains }) =>
      repeat(count, (index) => {
        chains[index] ??= refreshTokenOf(nextChain++ % REFRESHED_PAIRS);
        return {
          next: () =>
            post('/oauth/token', {
              type: 'application/x-www-form-urlencoded',
              body: `grant_type=refresh_token&client_id=${CLIENT_ID}&refresh_token=${chains[index]}`,
            }),
          answered({ status, body }) {
            expectStatus(201)({ status, body });
            chains[index] = JSON.parse(body).refresh_token;
          },
        };
      }),
  },
  'check-messenger': {
    makers: (count, { rows }) =>
      repeat(count, () => ({
        next: () => get(`/membership/check-messenger/${COMMUNITY_ID}/${1 + random(rows)}`, API_KEY),
        answered: expectStatus(200),
      })),
  },
  'provision-external': {
    makers: (count, { rows }) =>
      repeat(count, () => ({
        next: () =>
          post('/membership/provision-external', {
            type: 'application/json',
            token: API_KEY,
            body: JSON.stringify({
              communityId: COMMUNITY_ID,
              externalOrderId: `order-${random(2 ** 47)}`,
              email: emailOf(random(rows)),
            }),
          }),
        answered: expectStatus(200),
      })),
  },
};

function expectStatus(wanted) {
  return ({ status, body }) => {
    if (status !== wanted) throw new Error(`Expected status ${wanted}, got ${status}: ${body}`);
  };
}

/** Returns the text of a GET request with a bearer token. */
export function get(path, token) {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

/** Returns the text of a POST request, with a bearer token if there is one. */
export function post(path, { type, body, token }) {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function random(below) {
  return Math.floor(Math.random() * below);
}

function repeat(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}
