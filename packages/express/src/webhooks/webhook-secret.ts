import { type ServiceNames, WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { OptionProblem } from '../platform/options-error.js';

const ADVICE = 'Copy it as the service shows it when the webhook is saved.';

/** Other credentials that are often passed by mistake, by prefix. */
const otherCredentials = ({ apiKeyPrefix }: KeyNames): readonly [prefix: string, name: string][] => [
  ['ocs_', 'a client secret'],
  ['oac_', 'a client id'],
  [apiKeyPrefix, 'an API key'],
];

/** Facts about the service of a secret: the names that appear in errors, and if it can be a sandbox. */
export type KeyNames = Pick<ServiceNames, 'apiKeyPrefix'> & {
  /** True if the secrets that the sandbox publishes are rejected. @default false */
  readonly rejectsPublished?: boolean | undefined;
};

/** Secrets of the options `secret` and `secrets`, or their problems. No message contains a secret. */
export type ReadSecrets =
  | { kind: 'valid'; secrets: readonly string[] }
  | { kind: 'invalid'; problems: OptionProblem[] };

/** Validates the options `secret` and `secrets`. */
export function readSecrets(
  { secret, secrets }: { secret?: unknown; secrets?: unknown },
  names: KeyNames,
): ReadSecrets {
  if (secret !== undefined && secrets !== undefined) {
    return invalid('secret', 'and secrets are both set. Remove one of them.');
  }
  if (secrets !== undefined && !Array.isArray(secrets)) {
    return invalid('secrets', 'must be a list of strings.');
  }
  const problems =
    secrets === undefined
      ? problemsOfSecrets('secret', secret, names)
      : problemsOfSecrets('secrets', secrets, names);
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'valid', secrets: [secrets ?? secret].flat().map(String) };
}

/** Validates one secret or a list of secrets. */
export function problemsOfSecrets(option: string, value: unknown, names: KeyNames): OptionProblem[] {
  if (!Array.isArray(value)) return problemsOfOne(option, value, names);
  if (value.length > 0)
    return value.flatMap((each, index) => problemsOfOne(`${option}.${index}`, each, names));
  return [{ option, message: `is an empty list, so nothing could be verified. ${ADVICE}` }];
}

function problemsOfOne(option: string, secret: unknown, names: KeyNames): OptionProblem[] {
  const message = problemOfSecret(secret, names);
  return message === undefined ? [] : [{ option, message }];
}

function invalid(option: string, message: string): ReadSecrets {
  return { kind: 'invalid', problems: [{ option, message }] };
}

/** Returns the error in a signing secret and its fix, or undefined for 64 hex characters (spec, "Events", 1). */
function problemOfSecret(secret: unknown, names: KeyNames): string | undefined {
  if (typeof secret !== 'string' || secret === '') {
    return `is required: the webhook's signing secret of ${WEBHOOK_SECRET_LENGTH} hex characters. Check that its environment variable is set.`;
  }
  if (secret.trim() !== secret) {
    return `has white space before or after it, such as a line break from a file. Remove it, for example with trim(). ${ADVICE}`;
  }
  if (/^["'`]|["'`]$/.test(secret)) {
    return `contains quotation marks, which docker --env-file keeps from an .env file. Remove them. ${ADVICE}`;
  }
  const other = otherCredentials(names).find(([start]) => secret.startsWith(start));
  if (other !== undefined)
    return `is ${other[1]} (${other[0]}…), not the webhook's signing secret. ${ADVICE}`;
  const prefix = /^(?:[A-Za-z0-9]+[_=: ]|0x)/.exec(secret)?.[0];
  if (prefix !== undefined && isHex(secret.slice(prefix.length))) {
    return `begins with ${JSON.stringify(prefix)}, which is not part of the secret. Remove the prefix. ${ADVICE}`;
  }
  if (names.rejectsPublished === true && PUBLISHED.test(secret)) {
    return `is published with the sandbox, so anyone could sign events with it. Set the signing secret of your own webhook. ${ADVICE}`;
  }
  if (isHex(secret)) return undefined;
  if (secret.length !== WEBHOOK_SECRET_LENGTH) {
    return `has ${secret.length} characters, not ${WEBHOOK_SECRET_LENGTH}. ${ADVICE}`;
  }
  return `has a character that is not hex at position ${secret.search(/[^0-9a-f]/i) + 1}. ${ADVICE}`;
}

/** Secrets of the sandbox and its demo, such as eight times `5eed00f1`. */
const PUBLISHED = /^(5eed[0-9a-f]{4})\1{7}$/;

// The characters of the secret are the key, so only the right case verifies. The format check accepts both cases.
const HEX_SECRET = new RegExp(`^[0-9a-fA-F]{${WEBHOOK_SECRET_LENGTH}}$`);
const isHex = (text: string) => HEX_SECRET.test(text);
