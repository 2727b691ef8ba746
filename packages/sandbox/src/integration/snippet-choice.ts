import { sandboxScenario } from '../scenario/sandbox-scenario.js';
import type { ElementAttributes, ElementName } from './element-markup.js';

export interface CodeSnippet {
  readonly title: string;
  /** Where the code belongs, and what it needs. */
  readonly note: string;
  readonly code: string;
}

export interface SnippetClient {
  readonly clientId: string;
  readonly hasSecret: boolean;
}

export interface SnippetChoice {
  /** Client of a page without a backend. */
  readonly clientId: string;
  readonly backendClient: SnippetClient;
  readonly communityId: string;
  readonly planId: string;
  /** The page's elements with their attributes, without the service's URL. */
  readonly elements: Readonly<Partial<Record<ElementName, ElementAttributes>>>;
  /** CSS custom properties of the elements, by name. */
  readonly theme: Readonly<Record<string, string>>;
}

const { community, confidentialClient, plans, publicClient } = sandboxScenario;

export const SAMPLE_CHOICE: SnippetChoice = {
  clientId: publicClient.clientId,
  backendClient: { clientId: confidentialClient.clientId, hasSecret: true },
  communityId: community.id,
  planId: plans.lifetime.id,
  elements: elementsOf(confidentialClient.clientId, community.id),
  theme: {},
};

/** Returns elements for a site with a backend. Its client redeems the codes of the page. */
export function elementsOf(clientId: string, communityId: string): SnippetChoice['elements'] {
  return {
    'latchkey-login': { 'client-id': clientId, backend: '/auth' },
    'latchkey-gate': { backend: '/auth', community: communityId },
  };
}

/**
 * Returns what `npm install` takes for a package of this repository: until the first release, the file that
 * `npm run pack` made. The install lines in all documents agree with it (`scripts/test/install-lines.test.ts`).
 */
export const packageToInstall = (name: string): string => `../latchkey/packed/${name}.tgz`;
