import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { trigger } from '../../control/commands/trigger-command.js';
import { runCommand } from '../frame/run-command.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

const deliveryId = z.uuid('must be the UUID of a delivery').describe('Id, as list_events returns it.');
const delivery = z.looseObject({ id: z.string(), status: z.string() });
const event = z.looseObject({ id: z.string(), type: z.string() });
const UNKNOWN_DELIVERY = 'Call list_events for the ids of the deliveries.';

const listEvents = sandboxTool({
  name: 'list_events',
  title: 'Read the webhook events',
  description:
    'Lists the newest webhook events, newest first, each with its body and its deliveries: endpoint, status, number of attempts.',
  effect: 'reads',
  input: z.object({ limit: z.int().min(1).max(500).default(20) }),
  output: z.looseObject({ events: z.array(event) }),
  run: ({ limit }, sandbox) => sandbox.get('/events', { limit }),
});

const getDelivery = sandboxTool({
  name: 'get_delivery',
  title: 'Read one delivery',
  description: 'Returns a delivery with its request, and status, duration and failure of each attempt.',
  effect: 'reads',
  input: z.object({ id: deliveryId }),
  output: delivery,
  ifUnknown: UNKNOWN_DELIVERY,
  run: ({ id }, sandbox) => sandbox.get(`/deliveries/${id}`),
});

const resendDelivery = sandboxTool({
  name: 'resend_delivery',
  title: 'Send a delivery again',
  description:
    'Sends a webhook delivery again with the same event id, waits for the answer of the endpoint, and returns all attempts.',
  effect: 'changes',
  input: z.object({ id: deliveryId }),
  output: delivery,
  ifUnknown: UNKNOWN_DELIVERY,
  run: ({ id }, sandbox) => sandbox.post(`/deliveries/${id}/resend`),
});

const triggerEvent = sandboxTool({
  name: 'trigger_event',
  title: 'Trigger a webhook event',
  description:
    'Causes an event by a real change of your objects. membership.created grants a membership to a user without one. membership.updated moves the expiry (until) or ends the membership (end). payment.success, payment.failed and digital.product.purchase pay a real checkout of a plan or product. The change stays.',
  effect: 'changes',
  input: z.object({
    event: z.enum(WEBHOOK_EVENT_TYPES),
    user: z.string().min(1).max(300).optional().describe('Email address or id of the user.'),
    community: z.uuid().optional().describe('Community of the membership.'),
    product: z.uuid().optional().describe('Product of the membership.'),
    membership: z.uuid().optional().describe('Membership to change, in place of user.'),
    until: z.string().max(40).optional().describe('Expiry in ISO 8601. Without it, a new one is for life.'),
    plan: z.uuid().optional().describe('Plan to buy, for payment.success and payment.failed.'),
    method: z.string().max(100).optional().describe('Payment method, such as card-9995.'),
    externalId: z.string().max(255).optional().describe('External id of the checkout, as in buy-plan.'),
    end: z.boolean().optional().describe('Ends the membership now.'),
  }),
  output: event,
  async run(input, { target }) {
    const [recorded] = await runCommand(trigger, { ...withoutUndefined(input), ...target, json: true });
    return recorded as z.input<typeof event>;
  },
});

/** Tools of webhook events and their deliveries. */
export const eventTools = [listEvents, getDelivery, resendDelivery, triggerEvent];

function withoutUndefined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
