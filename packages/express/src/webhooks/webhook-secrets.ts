import type { KeyObject } from 'node:crypto';
import { serviceNamesOption } from '@latchkey/contract';
import {
  DEFAULT_SERVICE_NAMES,
  type ServiceNames,
  UUID,
  WEBHOOK_SECRET_LENGTH,
} from '@latchkey/contract/constants';
import { problemsOfIssue, type ReportProblem } from '../platform/errors.js';
import { signingKey } from './signature.js';

/** The community or product that sent an event. Its id is in lower case. */
export type WebhookSource = { readonly communityId: string } | { readonly productId: string };

/** A signing secret, or several that all verify. Undefined, as of an unset environment variable, is rejected at the call. */
export type Secrets = string | readonly (string | undefined)[] | undefined;

/** Signing secrets by the id of a community or product. */
export type SecretsById = Readonly<Record<string, Secrets>>;

/** The key of a signing secret. The source is undefined for the options `secret` and `secrets`. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly source: WebhookSource | undefined;
}

const KINDS = ['communities', 'products'] as const;
const NAMES = { communities: 'community', products: 'product' } as const;

/** Returns the id in lower case, or undefined if it isn't a UUID. */
export function sourceId(id: unknown): string | undefined {
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : undefined;
}

/** Returns what logs call a source: `community 5eed…`. */
export function sourceName(source: WebhookSource): string {
  return 'communityId' in source ? `community ${source.communityId}` : `product ${source.productId}`;
}

interface SourceSecret {
  option: string;
  secret: string;
  source: WebhookSource;
}

const ADVICE = 'Copy it as the service shows it when the webhook is saved.';

/** What is known about the service of a secret. */
interface SecretFacts {
  /** Prefix of the service's API keys, which people often pass by mistake. */
  apiKeyPrefix: string;
  /** Whether to reject the secrets that the sandbox publishes. @default false */
  rejectsPublished?: boolean | undefined;
}

/** Returns readers for the options with secrets, which report what is wrong. No message contains a secret. */
export function secretReaders(
  { apiKeyPrefix, rejectsPublished = false }: SecretFacts,
  report: ReportProblem,
) {
  /** Other credentials that people often pass by mistake, by prefix. */
  const otherCredentials: readonly [prefix: string, name: string][] = [
    ['ocs_', 'a client secret'],
    ['oac_', 'a client id'],
    [apiKeyPrefix, 'an API key'],
  ];

  return { readKeys, readSecrets };

  /** Reads the secrets of the options, in either form. */
  function readKeys(
    options: Readonly<Partial<Record<'secret' | 'secrets' | (typeof KINDS)[number], unknown>>>,
  ): readonly SigningKey[] {
    const kinds = KINDS.filter((kind) => options[kind] !== undefined);
    const [first] = kinds;
    if (first === undefined) {
      return readSecrets(options).map((secret) => ({
        key: signingKey(secret),
        source: undefined,
      }));
    }
    const plain = (['secret', 'secrets'] as const).find((option) => options[option] !== undefined);
    if (plain !== undefined) {
      report(
        plain,
        `and ${first} are both set. Remove ${plain}, because it does not say whose events it signs.`,
      );
      return [];
    }
    const entries = kinds.flatMap((kind) => entriesOf(kind, options[kind]));
    reportRepetitions(entries);
    return entries.map(({ secret, source }) => ({ key: signingKey(secret), source }));
  }

  function entriesOf(kind: (typeof KINDS)[number], given: unknown): SourceSecret[] {
    const name = NAMES[kind];
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      report(kind, `must be an object { [${name}Id]: secret }.`);
      return [];
    }
    const entries = Object.entries(given);
    if (entries.length === 0) report(kind, `names no ${name}, so nothing could be verified.`);
    const seen = new Set<string>();
    return entries.flatMap(([written, value]: [string, unknown]): SourceSecret[] => {
      const option = `${kind}.${written}`;
      const id = sourceId(written);
      if (id === undefined || seen.has(id)) {
        report(
          option,
          id === undefined
            ? `is not the id of a ${name}. Use the UUID that the service shows, not a name, and check that its environment variable is set.`
            : 'is named twice. List both secrets under one id.',
        );
        return [];
      }
      seen.add(id);
      if (!checkSecrets(option, value)) return [];
      const source = kind === 'communities' ? { communityId: id } : { productId: id };
      return Array.isArray(value)
        ? value.map((secret, index) => ({ option: `${option}.${index}`, secret: String(secret), source }))
        : [{ option, secret: String(value), source }];
    });
  }

  /** If two sources had the same secret, it couldn't tell them apart. */
  function reportRepetitions(entries: readonly SourceSecret[]): void {
    const firstUse = new Map<string, SourceSecret>();
    for (const entry of entries) {
      const first = firstUse.get(entry.secret);
      if (first === undefined) firstUse.set(entry.secret, entry);
      else if (first.source !== entry.source) {
        report(
          entry.option,
          `is the secret of ${first.option} too. Each webhook has a secret of its own, which says whose event it is. Copy this one again.`,
        );
      }
    }
  }

  function readSecrets({ secret, secrets }: { secret?: unknown; secrets?: unknown }): readonly string[] {
    if (secret !== undefined && secrets !== undefined) {
      report('secret', 'and secrets are both set. Remove one of them.');
    } else if (secrets !== undefined && !Array.isArray(secrets)) {
      report('secrets', 'must be a list of strings.');
    } else {
      const option = secrets === undefined ? 'secret' : 'secrets';
      const value = secrets ?? secret;
      if (checkSecrets(option, value)) return [value].flat().map(String);
    }
    return [];
  }

  /** Checks one secret or a list of secrets. Returns true if all are valid. */
  function checkSecrets(option: string, value: unknown): boolean {
    const isList = Array.isArray(value);
    if (isList && value.length === 0) {
      report(option, `is an empty list, so nothing could be verified. ${ADVICE}`);
      return false;
    }
    const problems = (isList ? value : [value]).map((secret) => problemOfSecret(secret));
    for (const [index, message] of problems.entries()) {
      if (message !== undefined) report(isList ? `${option}.${index}` : option, message);
    }
    return problems.every((message) => message === undefined);
  }

  /** Returns what is wrong with a signing secret and how to fix it, or undefined for 64 hex characters (spec, "Events", 1). */
  function problemOfSecret(secret: unknown): string | undefined {
    if (typeof secret !== 'string' || secret === '') {
      return `is required: the webhook's signing secret of ${WEBHOOK_SECRET_LENGTH} hex characters. Check that its environment variable is set.`;
    }
    if (secret.trim() !== secret) {
      return `has white space before or after it, such as a line break from a file. Remove it, for example with trim(). ${ADVICE}`;
    }
    if (/^["'`]|["'`]$/.test(secret)) {
      return `contains quotation marks, which docker --env-file keeps from an .env file. Remove them. ${ADVICE}`;
    }
    const other = otherCredentials.find(([start]) => secret.startsWith(start));
    if (other !== undefined)
      return `is ${other[1]} (${other[0]}…), not the webhook's signing secret. ${ADVICE}`;
    const prefix = /^(?:[A-Za-z0-9]+[_=: ]|0x)/.exec(secret)?.[0];
    if (prefix !== undefined && isHex(secret.slice(prefix.length))) {
      return `begins with ${JSON.stringify(prefix)}, which is not part of the secret. Remove the prefix. ${ADVICE}`;
    }
    if (rejectsPublished && PUBLISHED.test(secret)) {
      return `is published with the sandbox, so anyone could sign events with it. Set the signing secret of your own webhook. ${ADVICE}`;
    }
    if (isHex(secret)) return undefined;
    if (secret.length !== WEBHOOK_SECRET_LENGTH) {
      return `has ${secret.length} characters, not ${WEBHOOK_SECRET_LENGTH}. ${ADVICE}`;
    }
    return `has a character that is not hex at position ${secret.search(/[^0-9a-f]/i) + 1}. ${ADVICE}`;
  }
}

/** Secrets of the sandbox and its demo, such as `5eed00f1` eight times. */
const PUBLISHED = /^(5eed[0-9a-f]{4})\1{7}$/;

// The characters of the secret are the key, so only the right case verifies. The format check accepts both cases.
const HEX_SECRET = new RegExp(`^[0-9a-fA-F]{${WEBHOOK_SECRET_LENGTH}}$`);
const isHex = (text: string) => HEX_SECRET.test(text);

/** Reads the option `serviceNames`. Names that aren't set, or all if the option is invalid, are the spec's. */
export function readServiceNames(given: unknown, report: ReportProblem): ServiceNames {
  const read = serviceNamesOption.safeParse(given);
  if (read.success) return read.data;
  const unknownKey = 'is not a name. The names are apiKeyPrefix, headerPrefix and messenger.';
  for (const issue of read.error.issues) {
    const named = { ...issue, path: ['serviceNames', ...issue.path] };
    for (const { option, message } of problemsOfIssue(named, unknownKey)) report(option, message);
  }
  return DEFAULT_SERVICE_NAMES;
}
