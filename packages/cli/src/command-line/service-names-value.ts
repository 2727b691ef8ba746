import { serviceNamesOption } from '@latchkey/contract';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import * as z from 'zod';

// With spaces, so that the help can break the line.
const EXAMPLE = '{"apiKeyPrefix": "acme_", "headerPrefix": "X-Acme-", "messenger": "telegram"}';

/** Names of the service, as one JSON object. */
export const serviceNames = z
  .string()
  .transform((text, context) => {
    const parsed = serviceNamesOption.safeParse(jsonObject(text));
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ code: 'custom', message: describe(issue) });
    return z.NEVER;
  })
  .meta({
    placeholder: 'json',
    variable: 'LATCHKEY_SERVICE_NAMES',
    description: `Names of the service: prefix of API keys, prefix of webhook headers, messenger in paths. All processes on a database need the same. Example: '${EXAMPLE}'.`,
  });

/** Names as the command line takes them. */
export function serviceNamesText({
  apiKeyPrefix,
  headerPrefix,
  messenger,
}: z.output<typeof serviceNames>): string {
  return JSON.stringify({ apiKeyPrefix, headerPrefix, messenger });
}

function jsonObject(text: string): unknown {
  try {
    // An absent option has defaults, so JSON without an object must not look like one.
    return JSON.parse(text) ?? null;
  } catch {
    return null;
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const [name] = issue.path;
  const example = `such as ${EXAMPLE}`;
  if (issue.code === 'unrecognized_keys') {
    const keys = Object.keys(DEFAULT_SERVICE_NAMES).join(', ');
    return `unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}. The keys are ${keys}: an object ${example}`;
  }
  if (name === undefined) return `must be a JSON object ${example}`;
  const rule = issue.code === 'invalid_type' ? 'must be text' : issue.message.replace(/\.$/, '');
  return `${String(name)} ${rule}: an object ${example}`;
}
