import * as z from 'zod';
import { ControlFailure } from '../access/control-failure.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import type { RecordInput, SandboxData } from './data.js';
import { OWNER_FIELDS, RECORD_KINDS, RECORD_NAMES, type RecordKind } from './records/record-kinds.js';
import { RECORD_TABLES } from './records/record-tables.js';
import { RECORD_WRITES } from './writes/all-writes.js';
import { defined } from './writes/fields.js';
import { membershipGrant } from './writes/membership-writes.js';

const range = {
  text: z.string().max(200).optional().describe('Text in a name, an address or an id.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.string().max(200).optional().describe('`next` of the previous page.'),
};

/** Endpoints of the records: list, read, create, change and end, by kind. */
function recordRoutes(data: SandboxData): readonly ControlRoute[] {
  return [
    controlRoute({
      method: 'GET',
      path: '/data',
      summary: 'Counts the records of each kind.',
      handle: () => data.counts(),
    }),
    ...RECORD_KINDS.flatMap((kind) => routesOf(kind, data)),
    controlRoute({
      method: 'GET',
      path: '/data/{kind}',
      summary: 'Names the kinds, in a failure.',
      handle() {
        throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
      },
    }),
  ];
}

function routesOf(kind: RecordKind, data: SandboxData): ControlRoute[] {
  const { create, edit, end } = RECORD_WRITES[kind];
  const [path, withId] = [`/data/${kind}`, `/data/${kind}/{id}`];
  return [
    controlRoute({
      method: 'GET',
      path,
      summary: `Lists ${kind} without secrets, oldest first, with the names of the records that they mention.`,
      query: listQuery(kind),
      async handle({ query }) {
        const { records, next, labels } = await data.page(kind, defined(query));
        return { [kind]: records, next, labels };
      },
    }),
    controlRoute({
      method: 'POST',
      path,
      summary: create.summary,
      body: create.body,
      parsesBody: true,
      handle: ({ body }) => data.create(kind, body as RecordInput),
    }),
    controlRoute({
      method: 'GET',
      path: withId,
      summary: `Returns a ${RECORD_NAMES[kind]}, the names of the records that it mentions, and what belongs to it.`,
      handle: ({ params: { id = '' } }) => data.find(kind, id),
    }),
    ...(edit === undefined
      ? []
      : [
          controlRoute({
            method: 'PATCH',
            path: withId,
            summary: edit.summary,
            body: edit.body,
            parsesBody: true,
            handle: ({ params: { id = '' }, body }) => data.edit(kind, id, body as RecordInput),
          }),
        ]),
    ...(end === undefined
      ? []
      : [
          controlRoute({
            method: 'DELETE',
            path: withId,
            summary: end.summary,
            handle: ({ params: { id = '' } }) => data.end(kind, id),
          }),
        ]),
  ];
}

/** Only the fields by which the records of the kind belong to others can limit the list. */
function listQuery(kind: RecordKind) {
  const { owners } = RECORD_TABLES[kind];
  const fields = OWNER_FIELDS.filter((field) => field in owners);
  const owner = z.string().max(100).optional().describe('Id of the record to which they belong.');
  return z.strictObject({ ...range, ...Object.fromEntries(fields.map((field) => [field, owner])) });
}

export function dataRoutes(data: SandboxData): readonly ControlRoute[] {
  return [
    ...recordRoutes(data),
    controlRoute({
      method: 'POST',
      path: '/memberships',
      summary: 'Grants a membership of a community or product to a user.',
      body: membershipGrant,
      handle: ({ body }) => data.grantMembership(defined(body)),
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
      summary: 'Lists the mail, newest first, without HTML.',
      query: z.strictObject({ to: z.string().max(300).optional().describe('Address of the recipient.') }),
      handle: ({ query }) => ({ mail: data.mail(query.to) }),
    }),
    controlRoute({
      method: 'GET',
      path: '/mail/{id}',
      summary: 'Returns a message: text, HTML and images.',
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
