import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import * as z from 'zod';
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

/** Settings of a new webhook. It is for one community or one product. */
export function webhookSchema(policy: EndpointPolicy) {
  return z
    .object({
      url: endpointUrlField(policy),
      communityId: z.string().optional(),
      productId: z.string().optional(),
    })
    .refine(({ communityId, productId }) => (communityId === undefined) !== (productId === undefined), {
      path: ['communityId'],
      error: 'Choose either a community or a product.',
      // Reported beside the errors of other fields.
      when: ({ value }) => typeof value === 'object' && value !== null,
    });
}
