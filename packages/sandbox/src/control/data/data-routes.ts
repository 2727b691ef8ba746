import { MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { ControlFailure } from '../access/control-failure.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { SandboxData } from './data.js';
import { RECORD_KINDS } from './records.js';

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const grant = z.strictObject({
  userId: z.uuid().toLowerCase(),
  productType: z.enum(MEMBERSHIP_PRODUCT_TYPES).default('community'),
  communityId: z.uuid().toLowerCase().optional(),
  productId: z.uuid().toLowerCase().optional(),
  validFrom: instant.optional(),
  validUntil: instant.nullable().optional(),
});

const range = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
});

/** Endpoints of the data. */
export function dataRoutes(data: SandboxData): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/data/{kind}',
      summary: `Lists records without their secrets: ${RECORD_KINDS.join(', ')}.`,
      query: range,
      async handle({ params, query }) {
        const kind = RECORD_KINDS.find((known) => known === params.kind);
        if (kind === undefined)
          throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
        return { [kind]: await data.list(kind, query) };
      },
    }),
    controlRoute({
      method: 'POST',
      path: '/memberships',
      summary: 'Grants a membership of a community or product to a user.',
      body: grant,
      handle: ({ body }) => data.grantMembership(withoutUndefined(body)),
    }),
    controlRoute({
      method: 'POST',
      path: '/memberships/{id}/end',
      summary: 'Ends a membership now.',
      handle: ({ params: { id = '' } }) => data.endMembership(id),
    }),
    controlRoute({
      method: 'GET',
      path: '/mail',
      summary: 'Lists the mail, newest first.',
      query: z.strictObject({ to: z.string().max(300).optional().describe('Address of the recipient.') }),
      handle: ({ query }) => ({ mail: data.mail(query.to) }),
    }),
    controlRoute({
      method: 'GET',
      path: '/mail/{id}',
      summary: 'Returns a message.',
      handle: ({ params: { id = '' } }) => data.findMail(id),
    }),
    controlRoute({
      method: 'GET',
      path: '/messenger',
      summary: 'Lists the communities with a messenger bot, and the newest requests to join their chats.',
      handle: () => data.messenger(),
    }),
  ];
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
