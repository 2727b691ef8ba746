import { WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { OptionProblem } from '../options-error.js';

const ADVICE = 'Paste it as the service shows it when the webhook is saved.';

/** What else people hold in their hands when they are asked for a secret, by how it begins. */
const OTHER_THINGS: readonly [prefix: string, what: string][] = [
  ['ocs_', "is a client secret (ocs_…), not the webhook's signing secret."],
  ['oac_', "is a client id (oac_…), not the webhook's signing secret."],
  ['svc_', "is an API key (svc_…), not the webhook's signing secret."],
];

/**
 * Checks `secret` and `secrets` as they were given.
 * @returns The secrets that count, or what is wrong with each; no message repeats a secret.
 */
export function readSecrets({
  secret,
  secrets,
}: {
  secret?: unknown;
  secrets?: unknown;
}): { secrets: readonly string[] } | { problems: OptionProblem[] } {
  if (secret !== undefined && secrets !== undefined) {
    return { problems: [{ option: 'secret', message: 'and secrets are both given: keep one of them.' }] };
  }
  const given = secrets === undefined ? { secret } : secrets;
  if (!Array.isArray(given) && secrets !== undefined) {
    return { problems: [{ option: 'secrets', message: 'must be a list of strings.' }] };
  }
  if (Array.isArray(given) && given.length === 0) {
    return {
      problems: [{ option: 'secrets', message: `is an empty list: nothing could be verified. ${ADVICE}` }],
    };
  }
  const named: [string, unknown][] = Array.isArray(given)
    ? given.map((each, index) => [`secrets.${index}`, each])
    : [['secret', secret]];
  const problems = named.flatMap(([option, value]) => {
    const message = problemOfSecret(value);
    return message === undefined ? [] : [{ option, message }];
  });
  return problems.length > 0 ? { problems } : { secrets: named.map(([, value]) => String(value)) };
}

/** What is wrong with a signing secret, and how to fix it; undefined for 64 hex characters (spec, "Events", 1). */
function problemOfSecret(secret: unknown): string | undefined {
  if (typeof secret !== 'string' || secret === '') {
    return `is required: the webhook's signing secret of ${WEBHOOK_SECRET_LENGTH} hex characters. Is the environment variable that it comes from set?`;
  }
  if (secret.trim() !== secret) {
    return `has white space before or after it (a line break from a file or an environment variable?): take it off, for example with trim(). ${ADVICE}`;
  }
  if (/^["'`]|["'`]$/.test(secret)) {
    return `has quotation marks around it that are part of the value (an .env file read by docker --env-file keeps them): take them off. ${ADVICE}`;
  }
  const other = OTHER_THINGS.find(([prefix]) => secret.startsWith(prefix));
  if (other !== undefined) return `${other[1]} ${ADVICE}`;
  const prefix = /^(?:[A-Za-z0-9]+[_=: ]|0x)/.exec(secret)?.[0];
  if (prefix !== undefined && isHex(secret.slice(prefix.length))) {
    return `begins with ${JSON.stringify(prefix)}, which is not part of it: take the prefix off. ${ADVICE}`;
  }
  if (isHex(secret)) return undefined;
  if (secret.length !== WEBHOOK_SECRET_LENGTH) {
    return `has ${secret.length} characters, not ${WEBHOOK_SECRET_LENGTH}. ${ADVICE}`;
  }
  return `has a character that is not hex at position ${secret.search(/[^0-9a-f]/i) + 1}. ${ADVICE}`;
}

// The secret is the key as it stands, so its case counts; both are let pass, and only the right one verifies.
const HEX_SECRET = new RegExp(`^[0-9a-fA-F]{${WEBHOOK_SECRET_LENGTH}}$`);
const isHex = (text: string) => HEX_SECRET.test(text);
