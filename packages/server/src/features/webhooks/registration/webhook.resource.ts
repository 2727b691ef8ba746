import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import * as z from 'zod';
import { phrase } from '../../../platform/language/language.js';
import { defineRecords } from '../../fields/define-records.js';
import { FLAG, idOf, NEW_ID } from '../../fields/fields.js';
import { checkEndpointUrl, type EndpointPolicy } from '../endpoint/endpoint-address.js';

export function endpointUrlField(policy: EndpointPolicy) {
  return z.string().transform((text, context) => {
    const checked = checkEndpointUrl(text, policy);
    if (checked.kind === 'valid') return checked.url;
    context.addIssue({ code: 'custom', message: checked.message, input: text });
    return z.NEVER;
  });
}

export const webhookSecretField = z
  .string()
  .regex(
    new RegExp(`^[0-9a-f]{${WEBHOOK_SECRET_LENGTH}}$`),
    `Enter ${WEBHOOK_SECRET_LENGTH} hex characters in lower case.`,
  );

/** Endpoints that receive events. Each is for one community or one product. */
export const webhookRecords = defineRecords({
  one: 'webhook',
  table: 'webhooks',
  columns: [
    ...['id', 'owner_id', 'community_id', 'product_id', 'url', 'is_active', 'failing_since', 'paused_at'],
    'created_at',
  ],
  searched: ['id', 'url'],
  owners: ['ownerId', 'communityId', 'productId'],
  fields: {
    id: NEW_ID,
    ownerId: { ...idOf('Owner'), about: 'OWNER of the community, or seller of the product.' },
    communityId: { ...idOf('Community'), isOptional: true },
    productId: { ...idOf('Product'), isOptional: true },
    url: {
      schema: z.string('Enter an address.'),
      label: phrase('Endpoint'),
      hint: phrase(
        'https URL that receives the events. It must respond with a 2xx status within ten seconds.',
      ),
      about: 'URL that receives the events.',
      control: 'literal',
    },
    isActive: { ...FLAG, label: 'Active', about: 'An inactive one has no effect.' },
    rotateSecret: {
      ...FLAG,
      label: phrase('Replace the signing secret'),
      hint: phrase(
        'The old secret stops signing at once. If you leave this off, saving shows the current secret.',
      ),
      about: 'The old one signs no more.',
      makesSecret: true,
    },
  },
  rule: {
    holds: ({ communityId, productId }) => (communityId === undefined) !== (productId === undefined),
    path: 'communityId',
    error: 'Choose either a community or a product.',
  },
  create: 'Registers a webhook for a community or a product. The answer has its secret.',
  change: 'Changes a webhook, and returns its secret. Saving ends a pause and sends what waits.',
  end: { summary: 'Deletes a webhook with its deliveries.', button: 'Delete webhook', isFinal: true },
});
