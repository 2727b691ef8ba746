import type { KeyObject } from 'node:crypto';
import type { OptionProblem } from '../platform/options-error.js';
import { signingKey } from './signature.js';
import { type KeyNames, problemsOfSecrets, readSecrets } from './webhook-secret.js';

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
export type ReadKeys =
  | { kind: 'valid'; keys: readonly SigningKey[] }
  | { kind: 'invalid'; problems: OptionProblem[] };

/** Options that contain secrets. */
export interface SecretOptions {
  secret?: unknown;
  secrets?: unknown;
  communities?: unknown;
  products?: unknown;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
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
