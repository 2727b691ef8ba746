import { createHash } from 'node:crypto';
import { DEFAULT_SERVICE_NAMES, type ServiceNames } from '@latchkey/contract/constants';
import { sandboxApiKeyOf, sandboxScenario } from '../scenario/sandbox-scenario.js';
import type { Needs } from '../services/services.js';
import type { SnippetChoice } from './snippet-choice.js';

/** A value that an integration needs. */
export interface SandboxValue {
  readonly label: string;
  readonly value: string;
  /** Environment variable in the `.env` block; absent if the block leaves the value out. */
  readonly variable?: string;
}

interface ValueOptions extends Needs<'baseUrl' | 'serviceNames'> {
  /** The control token. Absent if the page must not show it. */
  readonly controlToken?: string | undefined;
  /**
   * False for a sandbox without sample data: the ids and secrets of the sample data would not work.
   *
   * @default true
   */
  readonly hasSampleData?: boolean;
  /** Ids to use in place of those of the sample data. */
  readonly choice?: SnippetChoice;
}

/** Returns all values that an integration with a sandbox needs, in the order that it needs them. */
export function sandboxValues({
  baseUrl,
  serviceNames,
  controlToken,
  hasSampleData = true,
  choice,
}: ValueOptions): readonly SandboxValue[] {
  return [
    { label: 'Base URL', variable: 'LATCHKEY_SERVICE_URL', value: baseUrl },
    ...(hasSampleData ? sampleValues(sandboxApiKeyOf(serviceNames), choice) : []),
    ...namesValue(serviceNames),
    ...(controlToken === undefined ? [] : controlValues(controlToken)),
  ];
}

function sampleValues(apiKey: string, choice?: SnippetChoice): readonly SandboxValue[] {
  const { publicClient, confidentialClient, community, plans, products, webhooks } = sandboxScenario;
  const { clientId, communityId } = choice ?? { ...publicClient, communityId: community.id };
  const backend = choice?.backendClient ?? { ...confidentialClient, hasSecret: true };
  const secret = { label: 'Client secret', variable: 'LATCHKEY_CLIENT_SECRET' };
  const plan = choice
    ? { label: 'Plan', value: choice.planId }
    : { label: 'Plan: Monthly', value: plans.monthly.id };
  return [
    { label: 'Public client', variable: 'LATCHKEY_PUBLIC_CLIENT_ID', value: clientId },
    { label: 'Client with a secret', variable: 'LATCHKEY_CLIENT_ID', value: backend.clientId },
    ...(backend.hasSecret ? [{ ...secret, value: confidentialClient.clientSecret }] : []),
    { label: 'API key', variable: 'LATCHKEY_API_KEY', value: apiKey },
    { label: 'Community', variable: 'LATCHKEY_COMMUNITY_ID', value: communityId },
    { ...plan, variable: 'LATCHKEY_PLAN_ID' },
    { label: 'Plan: For life', value: plans.lifetime.id },
    { label: 'Product: The Brew Guide', variable: 'LATCHKEY_PRODUCT_ID', value: products.brewGuide.id },
    { label: 'Product: Roasting at Home', value: products.roastingCourse.id },
    {
      label: 'Webhook secret: community',
      variable: 'LATCHKEY_WEBHOOK_SECRET',
      value: webhooks.community.secret,
    },
    { label: 'Webhook secret: The Brew Guide', value: webhooks.brewGuide.secret },
    { label: 'Webhook secret: Roasting at Home', value: webhooks.roastingCourse.secret },
  ];
}

function namesValue(serviceNames: ServiceNames): readonly SandboxValue[] {
  if (hasDefaultNames(serviceNames)) return [];
  const { apiKeyPrefix, headerPrefix, messenger } = serviceNames;
  const names = JSON.stringify({ apiKeyPrefix, headerPrefix, messenger });
  return [{ label: 'Names of this service', variable: 'LATCHKEY_SERVICE_NAMES', value: names }];
}

export function hasDefaultNames(serviceNames: ServiceNames): boolean {
  return Object.entries(DEFAULT_SERVICE_NAMES).every(
    ([name, value]) => serviceNames[name as keyof ServiceNames] === value,
  );
}

function controlValues(controlToken: string): readonly SandboxValue[] {
  // The same on the page and on the command line, but different for each token.
  const cookieSecret = createHash('sha256').update(`cookies of ${controlToken}`).digest('base64url');
  return [
    { label: 'Cookie secret of your app', variable: 'COOKIE_SECRET', value: cookieSecret },
    { label: 'Control token', variable: 'LATCHKEY_SANDBOX_TOKEN', value: controlToken },
  ];
}

export function envBlock(values: readonly SandboxValue[]): string {
  return values
    .flatMap(({ variable, value }) => (variable === undefined ? [] : [`${variable}=${quoted(value)}`]))
    .join('\n');
}

function quoted(value: string): string {
  return /^[\w.:/-]*$/.test(value) ? value : `'${value}'`;
}

/** Returns the `.env` file of an app that uses this sandbox with its sample data. */
export function sandboxEnv(
  sandbox: Needs<'baseUrl' | 'serviceNames'> & { readonly controlToken: string },
): string {
  return envBlock(sandboxValues(sandbox));
}
