import type { KeyObject } from 'node:crypto';
import { serviceNamesOption } from '@latchkey/contract';
import { type ServiceNames, UUID, WEBHOOK_SECRET_LENGTH } from '@latchkey/contract/constants';
import type { OptionProblem } from '../platform/errors.js';
import { signingKey } from './signature.js';

/** Community or product that sent an event. Its id is in lower case. */
export type WebhookSource = { readonly communityId: string } | { readonly productId: string };

/** Signing secrets by the id of a community or product. Several secrets of one id all verify. */
export type SecretsById = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Key of a signing secret. The source is undefined for the options `secret` and `secrets`. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly source: WebhookSource | undefined;
}

/** Signing keys of the options, or the problems of the options. No message contains a secret. */
type ReadKeys =
  | { kind: 'valid'; keys: readonly SigningKey[] }
  | { kind: 'invalid'; problems: OptionProblem[] };

/** Options that contain secrets. */
interface SecretOptions {
  secret?: unknown;
  secrets?: unknown;
  communities?: unknown;
  products?: unknown;
}

const KINDS = ['communities', 'products'] as const;
const NAMES = { communities: 'community', products: 'product' } as const;

/** Returns the id in lower case, or undefined for text that is not a UUID. */
export function sourceId(id: unknown): string | undefined {
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : undefined;
}

/** Text for logs: `community 5eed…`. */
export function sourceName(source: WebhookSource): string {
  return 'communityId' in source ? `community ${source.communityId}` : `product ${source.productId}`;
}

/** Validates the secrets of the options, in either form. */
export function readKeys(options: SecretOptions, names: KeyNames): ReadKeys {
  const kinds = KINDS.filter((kind) => options[kind] !== undefined);
  const [first] = kinds;
  if (first === undefined) {
    const read = readSecrets(options, names);
    if (read.kind === 'invalid') return read;
    return {
      kind: 'valid',
      keys: read.secrets.map((secret) => ({ key: signingKey(secret), source: undefined })),
    };
  }
  const plain = (['secret', 'secrets'] as const).find((option) => options[option] !== undefined);
  if (plain !== undefined) {
    const message = `and ${first} are both set. Remove ${plain}, because it does not say whose events it signs.`;
    return { kind: 'invalid', problems: [{ option: plain, message }] };
  }
  const entries = kinds.map((kind) => entriesOf(kind, options[kind], names));
  const problems = [...entries.flatMap((each) => each.problems), ...problemsOfRepetition(entries)];
  if (problems.length > 0) return { kind: 'invalid', problems };
  return {
    kind: 'valid',
    keys: entries.flatMap(({ secrets }) =>
      secrets.map(({ secret, source }) => ({ key: signingKey(secret), source })),
    ),
  };
}

interface SourceSecrets {
  secrets: { option: string; secret: string; source: WebhookSource }[];
  problems: OptionProblem[];
}

/** Reads the option `communities` or `products`. */
function entriesOf(kind: (typeof KINDS)[number], given: unknown, names: KeyNames): SourceSecrets {
  const name = NAMES[kind];
  const invalid = (option: string, message: string): SourceSecrets => ({
    secrets: [],
    problems: [{ option, message }],
  });
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return invalid(kind, `must be an object { [${name}Id]: secret }.`);
  }
  const entries = Object.entries(given);
  if (entries.length === 0) return invalid(kind, `names no ${name}, so nothing could be verified.`);
  const seen = new Set<string>();
  const read = entries.map(([written, value]: [string, unknown]): SourceSecrets => {
    const option = `${kind}.${written}`;
    const id = sourceId(written);
    if (id === undefined) {
      return invalid(option, `is not the id of a ${name}. Use the UUID that the service shows, not a name.`);
    }
    if (seen.has(id)) return invalid(option, `is named twice. List both secrets under one id.`);
    seen.add(id);
    const problems = problemsOfSecrets(option, value, names);
    const source = kind === 'communities' ? { communityId: id } : { productId: id };
    const secrets = Array.isArray(value)
      ? value.map((secret, index) => ({ option: `${option}.${index}`, secret: String(secret), source }))
      : [{ option, secret: String(value), source }];
    return problems.length > 0 ? { secrets: [], problems } : { secrets, problems };
  });
  return {
    secrets: read.flatMap(({ secrets }) => secrets),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** A secret of two sources could not tell them apart. */
function problemsOfRepetition(entries: readonly SourceSecrets[]): OptionProblem[] {
  const firstUse = new Map<string, { option: string; source: WebhookSource }>();
  return entries
    .flatMap(({ secrets }) => secrets)
    .flatMap(({ option, secret, source }) => {
      const first = firstUse.get(secret);
      if (first === undefined) firstUse.set(secret, { option, source });
      if (first === undefined || first.source === source) return [];
      return [
        {
          option,
          message: `is the secret of ${first.option} too. Each webhook has a secret of its own, which says whose event it is. Copy this one again.`,
        },
      ];
    });
}

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
type ReadSecrets =
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
function problemsOfSecrets(option: string, value: unknown, names: KeyNames): OptionProblem[] {
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

/** Names of the option `serviceNames`, or its problems. */
type ReadServiceNames =
  | { kind: 'valid'; names: ServiceNames }
  | { kind: 'invalid'; problems: OptionProblem[] };

/** Validates the option `serviceNames`. Names that are not set are those of the spec. */
export function readServiceNames(option: unknown): ReadServiceNames {
  const read = serviceNamesOption.safeParse(option);
  if (read.success) return { kind: 'valid', names: read.data };
  const problems = read.error.issues.flatMap((issue): OptionProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        option: `serviceNames.${key}`,
        message: 'is not a name. The names are apiKeyPrefix, headerPrefix and messenger.',
      }));
    }
    return [{ option: ['serviceNames', ...issue.path].map(String).join('.'), message: issue.message }];
  });
  return { kind: 'invalid', problems };
}
