import type { Finding } from '../findings/finding.js';
import type { RegisteredClient } from '../registry/registry.js';
import type { SiteTarget } from '../target/site-target.js';

export interface UsedRedirectUri {
  readonly clientId: string;
  readonly service: string;
  readonly uri: string;
  readonly registered?: RegisteredClient | undefined;
}

/** Checks if a redirect URI is registered. Without the records of a sandbox, it asks the authorization endpoint. */
export async function redirectUriCheck(
  target: SiteTarget,
  { clientId, service, uri, registered }: UsedRedirectUri,
): Promise<Finding[]> {
  const isRegistered =
    registered === undefined
      ? await isAccepted(target, { clientId, service, uri })
      : registered.redirectUris.includes(uri);
  if (isRegistered) return [];
  const similar = registered?.redirectUris.find((each) => pathOf(each) === pathOf(uri));
  const hint = similar === undefined ? '' : ` It has ${similar}: every character must be equal.`;
  // The site can name any address and any service here. The doctor registers only addresses of the site and of the sandbox.
  const { origin } = target.page.url;
  const isOwn = URL.canParse(uri) && (new URL(uri).origin === origin || target.usesSandbox(uri));
  const isFixable = isOwn && target.usesSandbox(service);
  return [
    {
      code: 'redirect-uri-not-registered',
      where: uri,
      meaning: `The client ${clientId} does not have this redirect URI.${hint}`,
      action: `Register exactly ${uri} as a redirect URI of the client.`,
      fix: isFixable ? { kind: 'add-redirect-uri', clientId, redirectUri: uri } : undefined,
    },
  ];
}

async function isAccepted(target: SiteTarget, { clientId, service, uri }: UsedRedirectUri): Promise<boolean> {
  const probe = await target.service(service)?.authorize(clientId, uri);
  return probe?.kind !== 'answer' || probe.answer.status !== 400;
}

function pathOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).pathname.replace(/\/$/, '') : uri;
}
