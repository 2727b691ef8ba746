import { provision } from '../calls/api-key-calls.js';
import { getResource, itemsOf, newPair } from '../calls/oauth-calls.js';
import * as shared from '../calls/shared-observations.js';
import { type Answer, Missing, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, field, type Observe, once, type Session } from '../session/session.js';

const PRODUCT_TYPES = ['ebook', 'course', 'video', 'audio', 'document', 'consultation', 'other', null];
const MEMBERSHIP_TYPES = ['community', 'digital_product', 'clipping_campaign', 'agency'];

type ListName = 'memberships' | 'products';
type Name = 'userinfo' | ListName;

function bearerOnly(name: Name): Observe {
  return check(
    (session) => shared.withoutToken(session, name),
    ({ status }) => expect.that(status === 401, `401 of ${name} without a token`, status),
  );
}

/** An unknown token, or none, is rejected with `invalid_token`. */
function invalidToken(
  name: Name,
  send: (session: Session, name: Name) => Promise<Answer> = shared.withUnknownToken,
): Observe {
  return async (session) => expect.oauthError(await send(session, name), 401, 'invalid_token');
}

async function listOf(session: Session, name: ListName): Promise<Answer> {
  return name === 'memberships'
    ? shared.resource(session, name)
    : (await shared.sellerProducts(session)).answer;
}

/** Checks a field of each item in a list. An empty list shows nothing about items. */
function eachItem(list: ListName, field: string, rule: (found: unknown, name: string) => void): Observe {
  return async (session) => {
    const items = itemsOf(await listOf(session, list), list);
    if (items.length === 0) throw new Missing('precondition: the list is empty, so it has no item to check');
    for (const json of items) rule(valueAt({ json }, field), field);
  };
}

function isList(name: ListName): Observe {
  return field(
    (session) => listOf(session, name),
    [name],
    (list) => expect.that(Array.isArray(list), `the array \`${name}\``, list),
  );
}

/** Names of fields for pagination. New fields with other names can appear at any time. */
const PAGE_KEYS = [
  /^(?:next|prev|previous)(?:_?(?:page|cursor|token|url|link|offset)\w*)?$/i,
  /^\w*cursors?$/i,
  /^pages?(?:_?(?:number|size|count|info|token))?$/i,
  /^(?:per_?page|total_?pages|offset|limit|paging|pagination|has_?(?:more|next)\w*)$/i,
];

function expectNoPages(answer: Answer): void {
  const { json } = requireSuccess(answer);
  const keys = typeof json === 'object' && json !== null ? Object.keys(json) : [];
  const found = keys.filter((key) => PAGE_KEYS.some((pattern) => pattern.test(key)));
  expect.that(found.length === 0, 'no cursor and no page beside the list', found.join(', '));
}

/** Requests a list that the token has no scope for. */
const wrongScope = once(async (session, name: ListName): Promise<Answer> => {
  const pair = await shared.narrowPair(
    session,
    name === 'memberships' ? 'products.read' : 'memberships.read',
  );
  return await getResource(session, session.paths[name], pair.access);
});

function scopeNeeded(name: ListName): Observe {
  return async (session) => {
    expect.refused(await wrongScope(session, name), `no ${name} without the scope`);
    const pair = await shared.narrowPair(session, `${name}.read`);
    const allowed = await getResource(session, session.paths[name], pair.access);
    expect.accepted(allowed, `${name} with the scope`);
  };
}

/** Other rules are about a success without the scope. */
function insufficientScope(name: ListName): Observe {
  return check(
    (session) => wrongScope(session, name),
    (answer) => answer.status >= 400 && expect.oauthError(answer, 403, 'insufficient_scope'),
  );
}

async function expectLifetimeWithoutEnd(session: Session): Promise<void> {
  if (!session.isDestructive) return;
  const email = session.newEmail();
  requireSuccess(await provision(session, { email }));
  for (const json of await shared.membershipsOf(session, email)) {
    const end = valueAt({ json }, 'validUntil');
    expect.that(end === undefined || end === null, 'no `validUntil` of lifetime access', end);
  }
}

const PROBES = checksOf('probe', {
  'userinfo.bearer': bearerOnly('userinfo'),
  'memberships.bearer': bearerOnly('memberships'),
  'products.bearer': bearerOnly('products'),
  'userinfo.invalid-token': invalidToken('userinfo'),
  'memberships.invalid-token': invalidToken('memberships'),
  'products.invalid-token': invalidToken('products'),
  'oauth-error.invalid-token-missing': invalidToken('userinfo', shared.withoutToken),
  'oauth-error.invalid-token-unknown': invalidToken('userinfo'),
  async 'oauth-error.no-www-authenticate'(session) {
    const answers = [
      await shared.withoutToken(session, 'userinfo'),
      await shared.withUnknownToken(session, 'memberships'),
    ];
    if (session.sendsMadeUp) answers.push(await shared.madeUpToken(session));
    if (session.canDrive('authorize')) answers.push(await wrongScope(session, 'memberships'));
    for (const { headers } of answers) {
      expect.that(
        !('www-authenticate' in headers),
        'no WWW-Authenticate header',
        headers['www-authenticate'],
      );
    }
  },
  async 'userinfo.sub'(session) {
    const answer = requireSuccess(await shared.resource(session, 'userinfo'));
    expect.uuid(valueAt(answer, 'sub'), 'sub');
    // A second token for the user.
    if (!session.canDrive('authorize')) return;
    const again = await getResource(session, session.paths.userinfo, (await newPair(session)).access);
    expect.equal(valueAt(requireSuccess(again), 'sub'), valueAt(answer, 'sub'), '`sub` of the same user');
  },
  async 'userinfo.email-nullable'(session) {
    const email = valueAt(requireSuccess(await shared.resource(session, 'userinfo')), 'email');
    expect.that(email === null || typeof email === 'string', '`email` as a string or null', email);
  },
  async 'userinfo.returns-identity'(session) {
    const answer = await shared.resource(session, 'userinfo');
    expect.that(
      answer.status === 200 && valueAt(answer, 'sub') !== undefined,
      '200 with the identity',
      answer.text,
    );
  },
  'memberships.id': eachItem('memberships', 'id', expect.uuid),
  'memberships.product-type': eachItem('memberships', 'productType', (found, name) =>
    expect.oneOf(found, MEMBERSHIP_TYPES, name),
  ),
  'memberships.is-active-true': eachItem('memberships', 'isActive', (found, name) =>
    expect.equal(found, true, name),
  ),
  'memberships.valid-from': eachItem('memberships', 'validFrom', expect.timestamp),
  'memberships.valid-until': [
    eachItem(
      'memberships',
      'validUntil',
      (end, name) => (end ?? null) !== null && expect.timestamp(end, name),
    ),
    expectLifetimeWithoutEnd,
  ],
  'memberships.list-shape': isList('memberships'),
});

const WRITES = checksOf('write', {
  async 'userinfo.no-scope'(session) {
    for (const scope of ['memberships.read', 'products.read'] as const) {
      const pair = await shared.narrowPair(session, scope);
      const answer = await getResource(session, session.paths.userinfo, pair.access);
      expect.accepted(answer, `userinfo with a token for ${scope} only`);
    }
  },
  'memberships.scope': scopeNeeded('memberships'),
  async 'memberships.active-only'(session) {
    const { buyer, answer } = await shared.expiredBuyer(session, 'list');
    requireSuccess(answer);
    const items = await shared.membershipsOf(session, buyer.email);
    expect.that(items.length === 0, 'no membership that has expired', items);
    const later = await shared.membershipsOf(session, (await shared.upcomingBuyer(session)).buyer.email);
    expect.that(later.length === 0, 'no membership that has not begun', later);
  },
  async 'memberships.empty-means-no-access'(session) {
    const { buyer } = await shared.windowBuyer(session, 'with access');
    const items = await shared.membershipsOf(session, buyer.email);
    expect.that(items.length > 0, 'the membership of a user with access', items);
    const newcomer = await newPair(session, { email: session.newEmail() });
    const none = await getResource(session, session.paths.memberships, newcomer.access);
    expect.that(
      none.status === 200 && itemsOf(none, 'memberships').length === 0,
      '200 with an empty array for a user without access',
      none.text,
    );
  },
  async 'memberships.not-paginated'(session) {
    const email = session.newEmail();
    const { main, second, noBot } = session.fixtures.communities;
    const communities = [main, second, noBot].flatMap((community) => community?.id ?? []);
    for (const communityId of communities) requireSuccess(await provision(session, { email, communityId }));
    const pair = await newPair(session, { email });
    const answer = await getResource(
      session,
      `${session.paths.memberships}?limit=1&page=1&per_page=1`,
      pair.access,
    );
    expectNoPages(answer);
    expect.equal(itemsOf(answer, 'memberships').length, communities.length, 'the number of memberships');
  },
  'memberships.insufficient-scope': insufficientScope('memberships'),
  'products.id': eachItem('products', 'id', expect.uuid),
  'products.name': eachItem('products', 'name', expect.text),
  'products.slug': eachItem('products', 'slug', expect.text),
  'products.type': eachItem('products', 'type', (found, name) => expect.oneOf(found, PRODUCT_TYPES, name)),
  'products.scope': scopeNeeded('products'),
  'products.list-shape': isList('products'),
  async 'products.created-not-purchased'(session) {
    const { answer } = await shared.sellerProducts(session);
    expect.that(itemsOf(answer, 'products').length > 0, 'the products of the seller', 'none');
    const email = session.newEmail();
    requireSuccess(await provision(session, { email }));
    await session.drive('buyProduct', { email });
    const buyer = await newPair(session, { email });
    const purchased = await getResource(session, session.paths.products, buyer.access);
    expect.that(
      itemsOf(purchased, 'products').length === 0,
      'no product that the user only bought',
      purchased.json,
    );
  },
  async 'products.not-paginated'(session) {
    const { pair, answer } = await shared.sellerProducts(session);
    const path = `${session.paths.products}?limit=1&page=1&per_page=1`;
    const limited = await getResource(session, path, pair.access);
    expectNoPages(limited);
    const count = itemsOf(answer, 'products').length;
    expect.equal(itemsOf(limited, 'products').length, count, 'the number of products');
  },
  'products.insufficient-scope': insufficientScope('products'),
  'oauth-error.insufficient-scope': [insufficientScope('memberships'), insufficientScope('products')],
});

export const resourceChecks = [...PROBES, ...WRITES];
