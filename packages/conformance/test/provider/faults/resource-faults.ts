import {
  bearerOf,
  dataOf,
  type Fault,
  json,
  jsonOf,
  MEMBERSHIPS,
  onJson,
  onList,
  onReply,
  PRODUCTS,
  TOKEN,
  USERINFO,
  type Where,
} from './fault.js';
import { followsStarts } from './stateful-handlers.js';

const forEachItem = (where: Where, list: string, change: (item: Record<string, unknown>) => void) =>
  onJson(where, (body) => {
    const items = body[list];
    if (Array.isArray(items)) for (const item of items) change(item as Record<string, unknown>);
  });

/** Faults of the resources that an access token opens. */
export const RESOURCE_FAULTS: readonly Fault[] = [
  {
    name: 'another sub at each call',
    breaks: 'userinfo.sub',
    handler: onList(USERINFO, (body) => {
      body.sub = crypto.randomUUID();
    }),
  },
  {
    name: 'email as a number',
    breaks: 'userinfo.email-nullable',
    handler: onList(USERINFO, (body) => {
      body.email = 7;
    }),
  },
  {
    name: 'a scope for userinfo',
    breaks: 'userinfo.no-scope',
    handler() {
      const narrow = new Set<string>();
      return async (request, forward) => {
        if (USERINFO(request) && narrow.has(bearerOf(request)))
          return json(403, { error: 'insufficient_scope' });
        const reply = await forward(request);
        const pair = jsonOf(reply);
        if (TOKEN(request) && pair.scope === 'products.read') narrow.add(String(pair.access_token));
        return reply;
      };
    },
  },
  {
    name: 'userinfo with an unknown token as 403',
    breaks: 'userinfo.invalid-token',
    coupled: { 'oauth-error.invalid-token-unknown': 'it is the same rule in the table of errors' },
    handler: onReply(USERINFO, (reply, request) =>
      bearerOf(request).startsWith('unknown-') ? { ...reply, status: 403 } : undefined,
    ),
  },
  {
    name: 'memberships without the scope',
    breaks: 'memberships.scope',
    handler: onReply(MEMBERSHIPS, (reply) =>
      reply.status === 403 ? json(200, { memberships: [] }) : undefined,
    ),
  },
  {
    name: 'insufficient_scope with 401',
    breaks: 'memberships.insufficient-scope',
    coupled: { 'oauth-error.insufficient-scope': 'it is the same rule in the table of errors' },
    handler: onReply(MEMBERSHIPS, (reply) => (reply.status === 403 ? { ...reply, status: 401 } : undefined)),
  },
  {
    name: 'isActive as text in the list',
    breaks: 'memberships.is-active-true',
    handler: forEachItem(MEMBERSHIPS, 'memberships', (item) => {
      item.isActive = 'true';
    }),
  },
  {
    name: 'an unknown productType',
    breaks: 'memberships.product-type',
    handler: forEachItem(MEMBERSHIPS, 'memberships', (item) => {
      item.productType = 'course';
    }),
  },
  {
    name: 'a numeric id of a membership',
    breaks: 'memberships.id',
    handler: forEachItem(MEMBERSHIPS, 'memberships', (item) => {
      item.id = 7;
    }),
  },
  {
    name: 'no validFrom in the list',
    breaks: 'memberships.valid-from',
    handler: forEachItem(MEMBERSHIPS, 'memberships', (item) => {
      delete item.validFrom;
    }),
  },
  {
    name: 'a far-future end in the list',
    breaks: 'memberships.valid-until',
    handler: forEachItem(MEMBERSHIPS, 'memberships', (item) => {
      item.validUntil ??= '9999-12-31T00:00:00.000Z';
    }),
  },
  {
    name: 'a cursor in the list of memberships',
    breaks: 'memberships.not-paginated',
    handler: onList(MEMBERSHIPS, (body) => {
      body.next = null;
    }),
  },
  {
    name: 'a cursor in the list of products',
    breaks: 'products.not-paginated',
    handler: onList(PRODUCTS, (body) => {
      body.next = null;
    }),
  },
  {
    name: 'expired memberships in the list',
    breaks: 'memberships.active-only',
    coupled: { 'memberships.empty-means-no-access': 'a list that is never empty cannot mean no access' },
    handler: onList(MEMBERSHIPS, (body) => {
      if (Array.isArray(body.memberships) && body.memberships.length === 0) {
        body.memberships = [
          {
            id: crypto.randomUUID(),
            productType: 'community',
            isActive: true,
            validFrom: '2020-01-01T00:00:00.000Z',
          },
        ];
      }
    }),
  },
  {
    name: 'a membership before its start in the list',
    breaks: 'memberships.active-only',
    handler() {
      const isUpcoming = followsStarts();
      let start: string | undefined;
      return async (request, forward) => {
        const reply = await forward(request);
        if (isUpcoming(request, reply)) start = String(dataOf(jsonOf(reply)).validFrom);
        if (!MEMBERSHIPS(request) || start === undefined) return reply;
        const item = { id: crypto.randomUUID(), productType: 'community', isActive: true, validFrom: start };
        start = undefined;
        return json(200, { memberships: [item] });
      };
    },
  },
  {
    name: 'a product without its slug',
    breaks: 'products.slug',
    handler: forEachItem(PRODUCTS, 'products', (item) => {
      delete item.slug;
    }),
  },
  {
    name: 'an unknown type of a product',
    breaks: 'products.type',
    handler: forEachItem(PRODUCTS, 'products', (item) => {
      item.type = 'magazine';
    }),
  },
  {
    name: 'purchased products in the list',
    breaks: 'products.created-not-purchased',
    handler: onList(PRODUCTS, (body) => {
      if (Array.isArray(body.products) && body.products.length === 0)
        body.products = [{ id: crypto.randomUUID() }];
    }),
  },
];
