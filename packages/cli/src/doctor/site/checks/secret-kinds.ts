import type { ServiceNames } from '@latchkey/contract/constants';

/** Characters of an API key after its prefix. */
const API_KEY_LENGTH = 43;
/** Shorter values of the environment can be in a page by chance. */
const SECRET_LENGTH_MIN = 16;

/** Known secrets, and the prefix of API keys. */
export interface SecretPatterns {
  readonly names: Pick<ServiceNames, 'apiKeyPrefix'>;
  readonly secrets: readonly string[];
}

/** Names the kinds of secrets that a text contains. */
export function secretKinds(text: string, { names, secrets }: SecretPatterns): string[] {
  const prefix = names.apiKeyPrefix.replaceAll(/[^\w]/g, (character) => `\\${character}`);
  return [
    ...(/\bocs_[0-9a-f]{48}\b/.test(text) ? ['a client secret'] : []),
    ...(new RegExp(`(?<![\\w-])${prefix}[A-Za-z0-9_-]{${API_KEY_LENGTH}}(?![\\w-])`).test(text)
      ? ['an API key']
      : []),
    ...(secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret))
      ? ['a secret of your environment']
      : []),
  ];
}
