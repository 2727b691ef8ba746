import type { Needs } from '../services/services.js';
import type { CodeSnippet } from './code-snippet.js';
import { envBlock, type SandboxValue, sandboxValues } from './sandbox-values.js';
import type { SnippetChoice } from './snippet-choice.js';
import { snippetsFor } from './snippets.js';

/** Everything to paste into a site: single values, an `.env` file, and code. */
export interface Integration {
  readonly values: readonly SandboxValue[];
  /** The values as an `.env` file. Without the control token. */
  readonly env: string;
  readonly snippets: readonly CodeSnippet[];
}

/** Returns everything to paste into a site, with the chosen ids. The secrets are those of the sample data only. */
export function integrationOf(
  { baseUrl, serviceNames }: Needs<'baseUrl' | 'serviceNames'>,
  choice: SnippetChoice,
): Integration {
  const values = sandboxValues({ baseUrl, serviceNames }).flatMap((value) => chosenValue(value, choice));
  return { values, env: envBlock(values), snippets: snippetsFor(baseUrl, serviceNames, choice) };
}

function chosenValue(
  { variable, ...value }: SandboxValue,
  { clientId, backendClient, communityId, planId }: SnippetChoice,
): SandboxValue[] {
  const { hasSecret } = backendClient;
  switch (variable) {
    case 'LATCHKEY_PUBLIC_CLIENT_ID':
      return [{ variable, label: value.label, value: clientId }];
    case 'LATCHKEY_CLIENT_ID':
      return [{ variable, label: value.label, value: backendClient.clientId }];
    case 'LATCHKEY_CLIENT_SECRET':
      return hasSecret ? [{ variable, ...value }] : [];
    case 'LATCHKEY_COMMUNITY_ID':
      return [{ variable, label: 'Community', value: communityId }];
    case 'LATCHKEY_PLAN_ID':
      return [{ variable, label: 'Plan', value: planId }];
    case undefined:
      return [value];
    default:
      return [{ variable, ...value }];
  }
}
