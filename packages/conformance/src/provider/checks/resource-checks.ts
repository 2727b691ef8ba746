import { provision } from '../calls/api-key-calls.js';
import { getResource, itemsOf, newPair } from '../calls/oauth-calls.js';
import {
  expiredBuyer,
  membershipsOf,
  narrowPair,
  resource,
  sellerProducts,
  upcomingBuyer,
  windowBuyer,
  withoutToken,
} from '../calls/shared-observations.js';
import { Missing } from '../outcome/outcome-errors.js';
import { type Answer, valueAt } from '../session/answer.js';
import {
  expectEqual,
  expectOAuthError,
  expectOneOf,
  expectText,
  expectThat,
  expectTimestamp,
  expectUuid,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

const PRODUCT_TYPES = ['ebook', 'course', 'video', 'audio', 'document', 'consultation', 'other', null];
const MEMBERSHIP_TYPES = ['community', 'digital_product', 'clipping_campaign', 'agency'];
const UNKNOWN_TOKEN = 'unknown-access-token-of-the-conformance-checks';

type Name = 'userinfo' | 'memberships' | 'products';

function withUnknownToken(session: Session, name: Name): Promise<Answer> {
  return session.once(`${name} with an unknown token`, () =>
    getResource(session, session.paths[name], UNKNOWN_TOKEN),
  );
}

async function expectBearerOnly(session: Session, name: Name): Promise<void> {
  const answer = await withoutToken(session, name);
  expectThat(answer.status === 401, `401 of ${name} without a token`, answer.status);
}

/** Runs a check for each item of a list; an empty list shows nothing about items. */
function forEachItem(items: readonly unknown[], check: (item: { json: unknown }) => void): void {
  if (items.length === 0) throw new Missing('precondition: the list is empty, so it has no item to check');
  for (const json of items) check({ json });
}

async function forEachMembership(session: Session, check: (item: { json: unknown }) => void): Promise<void> {
  forEachItem(itemsOf(await resource(session, 'memberships'), 'memberships'), check);
}

async function forEachProduct(session: Session, check: (item: { json: unknown }) => void): Promise<void> {
  forEachItem(itemsOf((await sellerProducts(session)).answer, 'products'), check);
}

/** Names of fields that lead from page to page. New fields with other names can appear at any time. */
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
  expectThat(found.length === 0, 'no cursor and no page beside the list', found.join(', '));
}

export const resourceReadChecks = checksOf('read', {
  async 'userinfo.bearer'(session) {
    await expectBearerOnly(session, 'userinfo');
  },
  async 'memberships.bearer'(session) {
    await expectBearerOnly(session, 'memberships');
  },
  async 'products.bearer'(session) {
    await expectBearerOnly(session, 'products');
  },
  async 'userinfo.invalid-token'(session) {
    expectOAuthError(await withUnknownToken(session, 'userinfo'), 401, 'invalid_token');
  },
  async 'memberships.invalid-token'(session) {
    expectOAuthError(await withUnknownToken(session, 'memberships'), 401, 'invalid_token');
  },
  async 'products.invalid-token'(session) {
    expectOAuthError(await withUnknownToken(session, 'products'), 401, 'invalid_token');
  },
  async 'oauth-error.invalid-token-missing'(session) {
    expectOAuthError(await withoutToken(session, 'userinfo'), 401, 'invalid_token');
  },
  async 'oauth-error.invalid-token-unknown'(session) {
    expectOAuthError(await withUnknownToken(session, 'userinfo'), 401, 'invalid_token');
  },
  async 'oauth-error.no-www-authenticate'(session) {
    const answers = [await withoutToken(session, 'userinfo'), await withUnknownToken(session, 'memberships')];
    if (session.canDrive('authorize')) answers.push(await wrongScope(session, 'memberships'));
    for (const { headers } of answers) {
      expectThat(!('www-authenticate' in headers), 'no WWW-Authenticate header', headers['www-authenticate']);
    }
  },
});

/** A list that the token has no scope for. */
function wrongScope(session: Session, name: 'memberships' | 'products'): Promise<Answer> {
  return session.once(`${name} without the scope`, async () => {
    const pair = await narrowPair(session, name === 'memberships' ? 'products.read' : 'memberships.read');
    return await getResource(session, session.paths[name], pair.access);
  });
}

async function expectScopeNeeded(session: Session, name: 'memberships' | 'products'): Promise<void> {
  const answer = await wrongScope(session, name);
  expectThat(answer.status >= 400, `no ${name} without the scope`, answer.status);
  const pair = await narrowPair(session, `${name}.read`);
  const allowed = await getResource(session, session.paths[name], pair.access);
  expectThat(allowed.status < 300, `${name} with the scope`, allowed.status);
}

export const resourceWriteChecks = checksOf('write', {
  async 'userinfo.sub'(session) {
    const answer = requireSuccess(await resource(session, 'userinfo'));
    expectUuid(valueAt(answer, 'sub'), 'sub');
    const again = await getResource(session, session.paths.userinfo, (await newPair(session)).access);
    expectEqual(valueAt(requireSuccess(again), 'sub'), valueAt(answer, 'sub'), '`sub` of the same user');
  },
  async 'userinfo.email-nullable'(session) {
    const email = valueAt(requireSuccess(await resource(session, 'userinfo')), 'email');
    expectThat(email === null || typeof email === 'string', '`email` as a string or null', email);
  },
  async 'userinfo.no-scope'(session) {
    for (const scope of ['memberships.read', 'products.read'] as const) {
      const pair = await narrowPair(session, scope);
      const answer = await getResource(session, session.paths.userinfo, pair.access);
      expectThat(answer.status < 300, `userinfo with a token for ${scope} only`, answer.status);
    }
  },
  async 'userinfo.returns-identity'(session) {
    const answer = await resource(session, 'userinfo');
    expectThat(
      answer.status === 200 && valueAt(answer, 'sub') !== undefined,
      '200 with the identity',
      answer.text,
    );
  },
  async 'memberships.id'(session) {
    await forEachMembership(session, (item) => expectUuid(valueAt(item, 'id'), 'id'));
  },
  async 'memberships.product-type'(session) {
    await forEachMembership(session, (item) =>
      expectOneOf(valueAt(item, 'productType'), MEMBERSHIP_TYPES, 'productType'),
    );
  },
  async 'memberships.is-active-true'(session) {
    await forEachMembership(session, (item) => expectEqual(valueAt(item, 'isActive'), true, 'isActive'));
  },
  async 'memberships.valid-from'(session) {
    await forEachMembership(session, (item) => expectTimestamp(valueAt(item, 'validFrom'), 'validFrom'));
  },
  async 'memberships.valid-until'(session) {
    await forEachMembership(session, (item) => {
      const end = valueAt(item, 'validUntil');
      if (end !== undefined && end !== null) expectTimestamp(end, 'validUntil');
    });
    const { buyer } = await session.once('lifetime buyer', async () => {
      const email = session.newEmail();
      requireSuccess(await provision(session, { email }));
      return { buyer: email };
    });
    for (const json of await membershipsOf(session, buyer)) {
      const end = valueAt({ json }, 'validUntil');
      expectThat(end === undefined || end === null, 'no `validUntil` of lifetime access', end);
    }
  },
  async 'memberships.scope'(session) {
    await expectScopeNeeded(session, 'memberships');
  },
  async 'memberships.list-shape'(session) {
    const list = valueAt(requireSuccess(await resource(session, 'memberships')), 'memberships');
    expectThat(Array.isArray(list), 'the array `memberships`', list);
  },
  async 'memberships.active-only'(session) {
    const { buyer, answer } = await expiredBuyer(session, 'list');
    requireSuccess(answer);
    const items = await membershipsOf(session, buyer.email);
    expectThat(items.length === 0, 'no membership that has expired', items);
    const later = await membershipsOf(session, (await upcomingBuyer(session)).buyer.email);
    expectThat(later.length === 0, 'no membership that has not begun', later);
  },
  async 'memberships.empty-means-no-access'(session) {
    const { buyer } = await windowBuyer(session, 'with access');
    const items = await membershipsOf(session, buyer.email);
    expectThat(items.length > 0, 'the membership of a user with access', items);
    const newcomer = await newPair(session, { email: session.newEmail() });
    const none = await getResource(session, session.paths.memberships, newcomer.access);
    expectThat(
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
    expectEqual(itemsOf(answer, 'memberships').length, communities.length, 'the number of memberships');
  },
  async 'memberships.insufficient-scope'(session) {
    const answer = await wrongScope(session, 'memberships');
    if (answer.status >= 400) expectOAuthError(answer, 403, 'insufficient_scope');
  },
  async 'products.id'(session) {
    await forEachProduct(session, (item) => expectUuid(valueAt(item, 'id'), 'id'));
  },
  async 'products.name'(session) {
    await forEachProduct(session, (item) => expectText(valueAt(item, 'name'), 'name'));
  },
  async 'products.slug'(session) {
    await forEachProduct(session, (item) => expectText(valueAt(item, 'slug'), 'slug'));
  },
  async 'products.type'(session) {
    await forEachProduct(session, (item) => expectOneOf(valueAt(item, 'type'), PRODUCT_TYPES, 'type'));
  },
  async 'products.scope'(session) {
    await expectScopeNeeded(session, 'products');
  },
  async 'products.list-shape'(session) {
    const list = valueAt(requireSuccess((await sellerProducts(session)).answer), 'products');
    expectThat(Array.isArray(list), 'the array `products`', list);
  },
  async 'products.created-not-purchased'(session) {
    const { answer } = await sellerProducts(session);
    expectThat(itemsOf(answer, 'products').length > 0, 'the products of the seller', 'none');
    const email = session.newEmail();
    requireSuccess(await provision(session, { email }));
    await session.drive('buyProduct', { email });
    const buyer = await newPair(session, { email });
    const purchased = await getResource(session, session.paths.products, buyer.access);
    expectThat(
      itemsOf(purchased, 'products').length === 0,
      'no product that the user only bought',
      purchased.json,
    );
  },
  async 'products.not-paginated'(session) {
    const { pair, answer } = await sellerProducts(session);
    const path = `${session.paths.products}?limit=1&page=1&per_page=1`;
    const limited = await getResource(session, path, pair.access);
    expectNoPages(limited);
    const count = itemsOf(answer, 'products').length;
    expectEqual(itemsOf(limited, 'products').length, count, 'the number of products');
  },
  async 'products.insufficient-scope'(session) {
    const answer = await wrongScope(session, 'products');
    if (answer.status >= 400) expectOAuthError(answer, 403, 'insufficient_scope');
  },
  async 'oauth-error.insufficient-scope'(session) {
    for (const name of ['memberships', 'products'] as const) {
      const answer = await wrongScope(session, name);
      if (answer.status >= 400) expectOAuthError(answer, 403, 'insufficient_scope');
    }
  },
});
