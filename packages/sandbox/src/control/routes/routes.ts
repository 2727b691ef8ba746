import * as z from 'zod';
import { elementsField, themeField } from '../../integration/element-markup.js';
import { BUYER_ANSWERS, WEBHOOK_MODES } from '../../payments/payment-words.js';
import { RECEIVER_MODES } from '../../receiver/built-in-receiver.js';
import { SCENARIO_NAMES } from '../../scenario/scenario-names.js';
import { faultInput } from './fault.js';
import {
  consumerField,
  eventFilter,
  forwardInput,
  listenerInput,
  purchaseInput,
  testEventInput,
} from './webhook-inputs.js';

export { isDeliveryEffect } from './fault.js';

/** Declares an endpoint of the control API, without its handler. The API, its clients, commands and tools are derived from it. */
export interface RouteStatement {
  /** A sentence for the documentation, for commands and for tools. */
  readonly summary: string;
  /** Parameters of the path, for callers. The API itself responds with 404 for other values. Default: any string. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Maximum size of the body, in bytes. */
  readonly bodyLimit?: number;
  /** True if data is lost. */
  readonly isDestructive?: boolean;
}

/** Maximum size of a pasted delivery, in bytes: a body of up to 256 kB as JSON. */
const PASTED_BYTES_MAX = 1024 * 1024;
/** Maximum size of an imported file, in bytes. A shop with 10,000 members takes about 18 MB. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** The points in time that the data offers, in the order of their list: the label of each, and a sentence for data without it. */
export const CLOCK_PRESET_WORDS = {
  'next-code-expiry': { name: 'End of this code', without: 'No sign-in code is open.' },
  'access-token-expiry': { name: 'Access token expires', without: 'No access token is valid.' },
  'refresh-token-expiry': { name: 'Refresh token expires', without: 'No refresh token is valid.' },
  'next-renewal': { name: 'Next renewal', without: 'No subscription renews.' },
  'next-membership-end': { name: 'Next end of a membership', without: 'No membership ends.' },
  'next-drop-start': { name: 'Next drop opens', without: 'No drop is planned.' },
} as const;

export type ClockPresetName = keyof typeof CLOCK_PRESET_WORDS;

export const CLOCK_PRESETS = Object.keys(CLOCK_PRESET_WORDS) as readonly ClockPresetName[];

const uuid = z.uuid('must be a UUID');
const requestId = z
  .string()
  .regex(/^req_\d{1,15}$/, 'must be an id such as req_12')
  .describe('Id of the request, such as req_12.');
const faultId = z
  .string()
  .regex(/^fault_\d{1,15}$/, 'must be an id such as fault_1')
  .describe('Id of the fault, such as fault_1.');
const deliveryId = z.uuid('must be the UUID of a delivery').describe('Id of the delivery.');
const snapshotName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be at most 64 letters, digits, ".", "_" or "-"')
  .describe('Name of the snapshot.');

export const requestFilter = z.strictObject({
  path: z.string().max(300).optional().describe('Text that the path contains.'),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
    .optional()
    .describe('Status, or class such as `4xx`.'),
  client: z.string().max(300).optional().describe('Client id, key name, or id or email of the key’s owner.'),
  endpoint: z
    .string()
    .max(40)
    .optional()
    .describe('Name of the endpoint; `page` for forms of the service’s pages.'),
  failed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('`true` for failed calls only: a status of 400 or more, or no whole answer.'),
  text: z.string().max(300).optional().describe('Text anywhere in the entry.'),
  after: z.string().max(40).optional().describe('`next` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Entries per page.'),
});

const paymentId = z
  .string()
  .regex(/^sim_[0-9a-f]{24}(?:_\d{1,6})?$/, 'must be sim_ and 24 hexadecimal digits')
  .describe('Id of the payment at the provider.');

export const paymentFilter = z.strictObject({
  text: z.string().max(200).optional().describe('Text in the order, the buyer or the description.'),
  state: z.enum(['open', 'paid', 'declined', 'expired']).optional().describe('State of the payment.'),
  after: paymentId.optional().describe('`next` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Payments per page.'),
});

const clockMove = z.union(
  [
    z.strictObject({
      duration: z
        .string()
        .regex(/^[1-9]\d{0,8}(?:[smhdw]|mo)$/, 'must be a whole number and a unit: 30s, 5m, 1h, 31d, 2w, 1mo')
        .describe('A whole number and a unit: s, m, h, d, w or mo (calendar months).'),
    }),
    z.strictObject({ instant: z.iso.datetime({ offset: true }).describe('A time ahead in ISO-8601.') }),
    z.strictObject({ preset: z.enum(CLOCK_PRESETS).describe(`One of ${CLOCK_PRESETS.join(', ')}.`) }),
    z.strictObject({
      membershipId: uuid.describe('Id of the membership.'),
      to: z.enum(['end', 'renewal']).describe('end, or renewal: an hour before the paid time ends.'),
    }),
  ],
  `Send one of "duration" (31d, 1mo), "instant" (ISO 8601), "preset" (${CLOCK_PRESETS.join(', ')}), or "membershipId" with "to" (end, renewal).`,
);

const snippetChoice = z.strictObject({
  clientId: z.string().max(100).optional().describe('Client of the site. Default: those of the sample data.'),
  communityId: z.uuid().toLowerCase().optional().describe('Community whose members the gate admits.'),
  planId: z.uuid().toLowerCase().optional().describe('Plan that the API client sells.'),
  elements: elementsField
    .optional()
    .describe('Elements with their attributes; true is an attribute without a value.'),
  theme: themeField.default({}).describe('CSS custom properties of the elements.'),
});

/** Endpoints of the control API by method and path below `/sandbox/api`, with parameters as `{name}`. */
export const CONTROL_ROUTES = {
  'GET /requests': {
    summary: 'Lists the newest requests without their bodies, newest first.',
    query: requestFilter,
  },
  'GET /requests/{id}': {
    summary: 'Returns a request with its bodies and as a curl command. Secrets are placeholders.',
    params: { id: requestId },
  },
  'POST /requests/{id}/replay': {
    summary: 'Sends a request again as it arrived, with its credentials, and returns its new entry.',
    params: { id: requestId },
  },
  'DELETE /requests': { summary: 'Empties the log.' },

  'GET /clock': {
    summary: 'Returns the time of the service, the instants that the data offer, and what the last move did.',
  },
  'POST /clock': {
    summary: 'Moves the clock forward, does all that is due in between in order, and lists it.',
    body: clockMove,
  },

  'GET /faults': {
    summary: 'Lists the faults, and how many calls or webhook deliveries each has changed.',
  },
  'POST /faults': {
    summary: 'Adds a fault. The first fault that matches a call or a webhook delivery changes it.',
    body: faultInput,
  },
  'DELETE /faults/{id}': {
    summary: 'Removes a fault, which changes no calls and deliveries any more.',
    params: { id: faultId },
  },
  'DELETE /faults': { summary: 'Removes all faults.' },

  'GET /events': {
    summary: 'Lists webhook events with their deliveries, newest first, by page and filter.',
    query: eventFilter,
  },
  'GET /events/{id}': { summary: 'Returns an event with its deliveries.' },
  'POST /events': {
    summary: 'Records an event about an object as it is now, and sends it to the webhooks.',
    body: testEventInput,
  },
  'POST /purchases': {
    summary: 'Buys a plan or a product for a user: a checkout that is opened and paid, or declined.',
    body: purchaseInput,
  },
  'GET /deliveries/{id}': {
    summary: 'Returns a delivery with the request and the response of every attempt.',
    params: { id: deliveryId },
  },
  'POST /deliveries/{id}/resend': {
    summary: 'Sends a delivery again, with the same event id, and waits for the answer.',
    params: { id: deliveryId },
    body: z.strictObject({
      as: z
        .enum(['duplicate', 'wrong-signature'])
        .optional()
        .describe('duplicate: two copies at once. wrong-signature: signed with another secret.'),
    }),
  },
  'GET /payments': {
    summary: 'Lists the payments in the books of the simulated provider, newest first, with its webhooks.',
    query: paymentFilter,
  },
  'GET /payments/{id}': {
    summary: 'Returns a payment with the provider’s webhooks about it.',
    params: { id: paymentId },
  },
  'POST /payments/{id}/answer': {
    summary: 'Answers on the payment’s page for the buyer.',
    params: { id: paymentId },
    body: z.strictObject({
      answer: z
        .enum(BUYER_ANSWERS)
        .describe('approve or fail the bank’s check (3-D Secure); arrive: the late transfer arrives.'),
    }),
  },
  'POST /payments/{id}/refund': {
    summary: 'Refunds a payment at the provider, which tells the service by a webhook.',
    params: { id: paymentId },
    body: z.strictObject({
      amountMinor: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Amount in the minor unit, such as cents. Default: all that is left.'),
    }),
  },
  'POST /payments/{id}/dispute': {
    summary: 'Opens a dispute of a payment, or decides it.',
    params: { id: paymentId },
    body: z.strictObject({
      step: z
        .enum(['open', 'win', 'lose'])
        .describe('open: the buyer disputes. win or lose: for the seller.'),
    }),
  },
  'POST /payments/{id}/webhooks/{eventId}': {
    summary: 'Sends a webhook of the provider now, for the first time or again with the same event id.',
    params: {
      id: paymentId,
      eventId: z
        .string()
        .regex(/^evt_[0-9a-f-]{36}$/, 'must be the id of an event')
        .describe('Id of the provider’s event.'),
    },
  },
  'GET /payment-provider': {
    summary: 'Returns how the simulated provider sends its webhooks, and if it is down.',
  },
  'POST /payment-provider': {
    summary: 'Sets how the simulated provider sends its webhooks from now on, and if it is down.',
    body: z.strictObject({
      webhooks: z
        .enum(WEBHOOK_MODES)
        .exactOptional()
        .describe('send: at once. late: ten minutes later. double: twice. withhold: only by hand.'),
      isDown: z.boolean().exactOptional().describe('true: each call of the service fails.'),
    }),
  },

  'POST /signatures': {
    summary: 'Checks the signature of a body with the secrets of all webhooks.',
    body: z.strictObject({ body: z.string(), signature: z.string().max(500) }),
    bodyLimit: PASTED_BYTES_MAX,
  },

  'GET /receiver': {
    summary: 'Returns the mode of the built-in receiver, and what arrived there, newest first.',
  },
  'POST /receiver': {
    summary: 'Sets how the built-in receiver answers.',
    body: z.strictObject({
      mode: z
        .enum(RECEIVER_MODES)
        .describe('accept: 204, or 400 for a wrong signature. fail: 500. hang: no answer.'),
    }),
  },

  'GET /listeners': { summary: 'Lists the listeners, and how many deliveries each has not forwarded.' },
  'POST /listeners': {
    summary: 'Creates a listener, or continues one with another filter.',
    body: listenerInput,
  },
  'DELETE /listeners/{name}': { summary: 'Removes a listener.' },
  'GET /listeners/{name}/deliveries': {
    summary: 'Lists signed requests that the listener has not forwarded, oldest first.',
    query: z.strictObject({
      consumer: consumerField,
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
  },
  'POST /listeners/{name}/deliveries/{id}': {
    summary: 'Logs an attempt to forward a delivery, which is done unless the listener retries.',
    body: forwardInput,
  },

  'POST /reset': {
    summary: `Deletes all data, sets the clock to the real time and begins with a scenario: ${SCENARIO_NAMES.join(', ')}.`,
    body: z.strictObject({
      scenario: z
        .enum(SCENARIO_NAMES)
        .default('sample-data')
        .describe(`Data to begin with: ${SCENARIO_NAMES.join(', ')}.`),
    }),
    isDestructive: true,
  },
  'GET /scenarios': {
    summary: 'Lists the scenarios: a sentence about the data of each, and what to try with them.',
  },
  'GET /snapshots': { summary: 'Lists the stored snapshots, each with its time and its rows.' },
  'POST /snapshots/{name}': {
    summary: 'Stores all data and the time under a name.',
    params: { name: snapshotName },
  },
  'GET /snapshots/{name}': {
    summary: 'Exports a snapshot as one JSON file.',
    params: { name: snapshotName },
  },
  'DELETE /snapshots/{name}': { summary: 'Removes a snapshot.', params: { name: snapshotName } },
  'POST /snapshots/{name}/load': {
    summary: 'Replaces all data and the time. Mail, request log and faults are dropped.',
    params: { name: snapshotName },
    isDestructive: true,
  },
  'POST /snapshots/{name}/import': {
    summary: 'Stores an exported file under a name. The file is the body.',
    params: { name: snapshotName },
    body: z.unknown(),
    bodyLimit: FILE_BYTES_MAX,
  },

  'POST /snippets': {
    summary: 'Returns the values, an .env file and the code to paste into a site, with your own ids.',
    body: snippetChoice,
  },
  'GET /data': { summary: 'Counts the records of each kind.' },
  'GET /mail': {
    summary: 'Lists the mail with its sign-in codes, newest first, without HTML.',
    query: z.strictObject({ to: z.string().max(300).optional().describe('Address of the recipient.') }),
  },
  'GET /mail/{id}': { summary: 'Returns a message: text, HTML and images.' },
  'GET /messenger': {
    summary: 'Lists the communities with a messenger bot, and the newest requests to join their chats.',
  },
  'GET /openapi.json': { summary: 'Describes these endpoints as OpenAPI 3.1.' },
} satisfies Readonly<Record<string, RouteStatement>>;

const kind = z
  .string()
  .regex(/^[a-z][a-z_-]{0,40}$/, 'must be a kind of record such as users')
  .describe(
    'users, communities, roles, plans, products, memberships, drops, clients, keys, webhooks or another.',
  );
const recordId = z
  .string()
  .regex(/^[\w.@:~-]{1,100}$/, 'must be an id without slashes')
  .describe('Id of the record.');
const fields = z.record(z.string(), z.unknown());

/** The endpoints of records, as callers see them. The API has them for each kind, with that kind's fields. */
export const DATA_ROUTES = {
  'GET /data/{kind}': {
    summary:
      'Lists records of one kind without their secrets, oldest first, with the names of the records that they mention.',
    params: { kind },
    query: z.looseObject({
      text: z.string().max(200).optional().describe('Text in a name, an address or an id.'),
      limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Records per page.'),
      after: z.string().max(200).optional().describe('`next` of the previous page.'),
    }),
  },
  'GET /data/{kind}/{id}': {
    summary: 'Returns a record, the names of the records that it mentions, and what belongs to it.',
    params: { kind, id: recordId },
  },
  'POST /data/{kind}': {
    summary: 'Creates a record, and returns its id and, this once, its secret.',
    params: { kind },
    body: fields,
  },
  'PATCH /data/{kind}/{id}': {
    summary: 'Changes the given fields of a record. Other fields stay.',
    params: { kind, id: recordId },
    body: fields,
  },
  'DELETE /data/{kind}/{id}': {
    summary:
      'Ends a record as the service does: a membership ends now, a key is revoked, a plan is archived, a client or webhook is deleted.',
    params: { kind, id: recordId },
    isDestructive: true,
  },
} satisfies Readonly<Record<string, RouteStatement>>;

type Statements = typeof CONTROL_ROUTES;
export type ControlRouteName = keyof Statements;

/** Parameters of a path such as `/requests/{id}`, with their values. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [_ in Name]: string } & ParamsOf<Rest>
  : unknown;

type Parsed<Statement, Part extends 'query' | 'body'> =
  Statement extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

/** The handler of each endpoint, which gets the parsed input. Its result is the response body; `undefined` means 204. */
export type ControlHandlers = {
  readonly [Name in ControlRouteName]: (call: {
    readonly params: ParamsOf<Name>;
    readonly query: Parsed<Statements[Name], 'query'>;
    readonly body: Parsed<Statements[Name], 'body'>;
  }) => unknown;
};
