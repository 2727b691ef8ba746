import { pathsOf } from '@latchkey/contract/constants';
import { type Answer, authorizePath, fieldsOf } from './probe.js';
import { allows, readPage, reasonNotToParse, resolve } from './read-page.js';
import type { RegisteredClient } from './registry.js';
import type { SiteTarget, WidgetSession } from './site-target.js';

const FILES =
  'Copy callback.html and callback.js from node_modules/@latchkey/widget/dist to this folder, or set callback-url.';

/** Checks the site's callback page, where the popup ends. The service's own callback page needs no check. */
async function callbackPageChecks(target: SiteTarget, { callback, mode }: WidgetSession): Promise<void> {
  if (callback === undefined || callback.isHosted || mode !== 'popup') return;
  const { url } = callback;
  const missing = (meaning: string) =>
    target.report('callback-page-missing', { where: url.href, meaning, action: FILES });
  if (url.origin !== target.page.url.origin)
    return missing(`callback-url: must be a page of ${target.page.url.origin} without a fragment.`);
  const probe = await target.get(url, { accept: 'text/html' });
  if (probe.kind === 'failed') return missing(`The callback page cannot be loaded: ${probe.reason}.`);
  const { status } = probe.answer;
  if (status !== 200) return missing(`The callback page answers with status ${status}.`);
  const reason = reasonNotToParse(probe.answer.text);
  if (reason !== undefined) return missing(`The callback page cannot be read: ${reason}.`);
  const page = readPage(url, probe.answer.headers, probe.answer.text);
  const script = page.scripts.find((each) => each.url?.pathname.endsWith('/callback.js'))?.url;
  if (script === undefined) return missing('The page at this address does not load callback.js.');
  const loaded = await target.get(script);
  const isLoaded = loaded.kind === 'answer' && loaded.answer.status === 200;
  if (!isLoaded) return missing(`The callback page loads ${script.href}, which is not there.`);
  if (page.policies.every((policy) => allows(policy, 'script-src', { url: script, page: url }))) return;
  target.report('csp-script-src', {
    where: url.href,
    meaning: `Content-Security-Policy: script-src blocks ${script.href}, so the popup cannot answer.`,
    action: "Send script-src 'self' with the callback page.",
  });
}

const CLIENT_ID = /^oac_[0-9a-f]{24}$/;

export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

/** Checks the client of each session: its id, its registration and the URLs that it allows. */
export async function clientChecks(target: SiteTarget): Promise<void> {
  for (const session of target.sessions) await sessionChecks(target, session);
}

async function sessionChecks(target: SiteTarget, session: WidgetSession): Promise<void> {
  const { clientId, element, service, hasBackend, mode } = session;
  const settings = () => {
    connectPolicy(target, session);
    returnUrl(target, session);
  };
  if (clientId === undefined) {
    // A session from the command line may have only a backend.
    if (element !== 'the page')
      target.report('client-id-missing', {
        meaning: `${element} has no client-id.`,
        action: 'Set client-id to the id of your client: oac_ and 24 hex characters.',
      });
    return settings();
  }
  if (!isClientId(clientId)) {
    target.report('client-id-invalid', {
      meaning: `client-id="${clientId}" does not have the form of a client id.`,
      action: 'Set client-id to oac_ and 24 hex characters, as the developer area shows it.',
    });
    return settings();
  }
  if (service === undefined) return settings();
  const identity = await identityOf(target, { clientId, service });
  const expected = target.input.service ?? service;
  const isService = identity === undefined || typeof fieldsOf(identity.json).success === 'boolean';
  if (expected !== service || !isService) {
    const meaning =
      expected === service
        ? `There is no service at ${service}.`
        : `The page uses the service ${service}, and not ${expected}.`;
    target.report('service-url-wrong', {
      meaning: `${meaning} Without service-url, the service is the origin of the script.`,
      action: `Set service-url="${target.input.service ?? 'https://…'}" on every element that names the client.`,
    });
    return settings();
  }
  if (identity?.status === 404) {
    target.report('client-unknown', {
      meaning: `The service ${service} does not know the client ${clientId}.`,
      action:
        'Compare client-id and service-url with the developer area of this service. A sandbox loses new clients at a restart.',
    });
    return settings();
  }
  settings();
  const registered = await target.input.registry?.client(clientId);
  if (registered !== undefined) registrationChecks(target, session, registered);
  // Only in these cases does the service send a code or tokens to the page itself.
  if (!hasBackend || (mode === 'popup' && session.callback?.isHosted === true))
    originCheck(target, { registered, clientId, service }, identity);
  const uri = redirectUriOf(session, target);
  if (uri !== undefined) await redirectUriCheck(target, { clientId, service, uri, registered });
  if (mode === 'popup' || !hasBackend) await callbackPageChecks(target, session);
}

/** Returns the redirect URI that the widget itself uses. Otherwise the backend's is checked. */
function redirectUriOf({ mode, hasBackend, returnUrl: url, callback }: WidgetSession, { page }: SiteTarget) {
  if (mode === 'popup') return callback?.url.href;
  return hasBackend || url === undefined ? undefined : new URL(url, page.base).href;
}

/** Requests the client's public identity, like the callback page. */
async function identityOf(target: SiteTarget, { clientId, service }: UsedClient) {
  const path = pathsOf(target.input.serviceNames).clientIdentity.replace('{clientId}', clientId);
  const url = new URL(`${service}${path}`);
  url.searchParams.set('widget_origin', target.page.url.origin);
  const probe = await target.get(url, { accept: 'application/json' });
  return probe.kind === 'answer' ? probe.answer : undefined;
}

function registrationChecks(
  target: SiteTarget,
  { hasBackend, element, scopes, clientId = '' }: WidgetSession,
  registered: RegisteredClient,
): void {
  if (!hasBackend && registered.type === 'confidential') {
    target.report('client-confidential', {
      meaning: `${element} has no backend, but the client ${clientId} is confidential: it needs a secret, which must never be in a page.`,
      action: 'Set backend, or use a public client.',
    });
  }
  const unregistered = scopes.filter((scope) => !registered.scopes.includes(scope));
  if (unregistered.length > 0) {
    target.report('scope-not-registered', {
      meaning: `${element} requests ${unregistered.join(', ')}, which the client ${clientId} may not request.`,
      action: 'Add the scope to the client in the developer area, or remove it from the attribute scope.',
    });
  }
}

function originCheck(target: SiteTarget, used: UsedClient, identity: Answer | undefined): void {
  const { registered, clientId, service } = used;
  const { origin } = target.page.url;
  const isAllowed = fieldsOf(fieldsOf(identity?.json).data).widgetOriginAllowed !== false;
  if (isAllowed) return;
  const similar = registered?.widgetOrigins.find((each) => isSimilar(each, target.page.url));
  const isAlias = similar !== undefined && new URL(similar).hostname !== target.page.url.hostname;
  const hint =
    similar === undefined
      ? ''
      : ` It allows ${similar}, which is another origin: scheme, host and port must be equal.`;
  target.report('origin-not-allowed', {
    meaning: `The client ${clientId} does not allow the origin ${origin}.${hint}`,
    action: `Add ${origin} to the Allowed web origins of the client${similar === undefined ? '' : `, or open the site at ${similar}`}.`,
    // With another name for this machine, the backend's `appUrl` would still differ.
    fix: isAlias || !target.usesSandbox(service) ? undefined : { kind: 'add-origin', clientId, origin },
  });
}

/** True if both are the same machine written differently: another port or scheme, or 127.0.0.1 in place of localhost. */
function isSimilar(origin: string, page: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  const isLocal = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);
  return hostname === page.hostname || (isLocal(hostname) && isLocal(page.hostname));
}

/** Checks the hosts that the page itself requests. With a backend, that's only its own site. */
function connectPolicy(target: SiteTarget, { service, backend, hasBackend }: WidgetSession): void {
  const { page } = target;
  const url = hasBackend ? backend : service === undefined ? undefined : new URL(service);
  // Another check reports a backend with another origin, which the widget doesn't request.
  if (url === undefined || (hasBackend && url.origin !== page.url.origin)) return;
  if (page.policies.every((policy) => allows(policy, 'connect-src', { url, page: page.url }))) return;
  const source = url.origin === page.url.origin ? "'self'" : url.origin;
  target.report('csp-connect-src', {
    meaning: `Content-Security-Policy: connect-src blocks ${url.origin}. Sign-in fails with misconfigured.`,
    action: `Content-Security-Policy: add ${source} to connect-src.`,
  });
}

function returnUrl(target: SiteTarget, session: WidgetSession): void {
  const { mode, hasBackend, returnUrl: url, element } = session;
  const { page } = target;
  if (hasBackend || mode !== 'redirect') return;
  const isOwn = url !== undefined && resolve(url, page.base)?.origin === page.url.origin;
  if (isOwn && !url.includes('#')) return;
  target.report('return-url-missing', {
    meaning: `${element} has mode="redirect" and return-url="${url ?? ''}". return-url: must be a page of ${page.url.origin} without a fragment.`,
    action: 'Set return-url to a page of this site that loads the widget, and register it as a redirect URI.',
  });
}

interface UsedClient {
  readonly clientId: string;
  readonly service: string;
  readonly registered?: RegisteredClient | undefined;
}

type UsedRedirectUri = UsedClient & { readonly uri: string };

/** Checks whether a redirect URI is registered. Without a sandbox's records, asks the authorization endpoint. */
export async function redirectUriCheck(
  target: SiteTarget,
  { clientId, service, uri, registered }: UsedRedirectUri,
): Promise<void> {
  const isRegistered =
    registered === undefined
      ? await isAccepted(target, { clientId, service, uri })
      : registered.redirectUris.includes(uri);
  if (isRegistered) return;
  const similar = registered?.redirectUris.find((each) => pathOf(each) === pathOf(uri));
  const hint = similar === undefined ? '' : ` It has ${similar}: every character must be equal.`;
  // The site can put any URL and any service here. The doctor only registers the site's and the sandbox's URLs.
  const { origin } = target.page.url;
  const isOwn = URL.canParse(uri) && (new URL(uri).origin === origin || target.usesSandbox(uri));
  const isFixable = isOwn && target.usesSandbox(service);
  target.report('redirect-uri-not-registered', {
    where: uri,
    meaning: `The client ${clientId} does not have this redirect URI.${hint}`,
    action: `Register exactly ${uri} as a redirect URI of the client.`,
    fix: isFixable ? { kind: 'add-redirect-uri', clientId, redirectUri: uri } : undefined,
  });
}

async function isAccepted(target: SiteTarget, { clientId, service, uri }: UsedRedirectUri): Promise<boolean> {
  const { authorize } = pathsOf(target.input.serviceNames);
  const url = resolve(service + authorizePath(authorize, clientId, uri), target.page.url);
  const probe = url === undefined ? undefined : await target.get(url, { accept: 'application/json' });
  return probe?.kind !== 'answer' || probe.answer.status !== 400;
}

function pathOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).pathname.replace(/\/$/, '') : uri;
}
