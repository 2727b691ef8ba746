import { emailField as contractEmail, uuidField as contractUuid } from '@latchkey/contract';
import * as z from 'zod';

/** UUID, returned in lower case. */
export const idField = withMessage(contractUuid, 'Enter a UUID.');

/** Email address, returned trimmed and in lower case. */
export const emailField = withMessage(contractEmail, 'Enter an e-mail address such as name@example.com.');

/** Returns the schema with this message in place of its own. */
function withMessage<Output, Input>(
  schema: z.ZodType<Output, Input>,
  message: string,
): z.ZodType<Output, Input> {
  return z.custom<Input>().transform((value, context) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}
