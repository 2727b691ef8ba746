import { SITE_CALLBACK_PATH, WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import type { DoctorSettings } from './doctor-settings.js';
import { type PageScript, resolve, type SitePage, type WidgetElement } from './read-page.js';

/** Values of the command that replace attributes which a page creates with a script. */
type SessionDefaults = Pick<DoctorSettings, 'service' | 'clientId' | 'backend'>;

/** Settings of a session of the widget, with the widget's defaults. */
export interface WidgetSession {
  readonly element: string;
  readonly clientId: string | undefined;
  /** Base URL of the service, without a slash at its end. Undefined if nothing names it. */
  readonly service: string | undefined;
  /** Address of the kit. Undefined without a backend, and for an invalid address. */
  readonly backend: URL | undefined;
  readonly hasBackend: boolean;
  readonly mode: 'popup' | 'redirect';
  readonly scopes: readonly string[];
  readonly returnUrl: string | undefined;
  /** Page where the popup ends. Undefined if nothing names the service. */
  readonly callback: { readonly url: URL; readonly isHosted: boolean } | undefined;
}

const WIDGET_SCRIPT = /\/latchkey(?!-plans)[^/]*\.js$/;
const PLANS_SCRIPT = /\/latchkey-plans[^/]*\.js$/;

/** True for the script of the login element and the gate. */
export const isWidgetScript = ({ url }: Pick<PageScript, 'url'>): boolean =>
  url !== undefined && WIDGET_SCRIPT.test(url.pathname);

export const isPlansScript = ({ url }: Pick<PageScript, 'url'>): boolean =>
  url !== undefined && PLANS_SCRIPT.test(url.pathname);

/** Returns the different sessions of a page. Without elements, the one that the command names. */
export function readSessions(page: SitePage, defaults: SessionDefaults): WidgetSession[] {
  const named = page.elements.filter(
    ({ name, attributes }) => name === 'latchkey-login' || attributes['client-id'] !== undefined,
  );
  const sessions = named.map((element) => sessionOf(element, { page, defaults }));
  const isNamed = defaults.clientId !== undefined || defaults.backend !== undefined;
  if (sessions.length === 0 && isNamed) {
    const element = { name: 'page', attributes: {}, hasContent: false };
    sessions.push(sessionOf(element, { page, defaults }));
  }
  return [...new Map(sessions.map((session) => [JSON.stringify(session), session])).values()];
}

function sessionOf(
  { name, attributes }: WidgetElement,
  { page, defaults }: { page: SitePage; defaults: SessionDefaults },
): WidgetSession {
  const script = page.scripts.find(isWidgetScript);
  const service = (attributes['service-url'] || script?.url?.origin || defaults.service)?.replace(/\/+$/, '');
  const backend = attributes.backend || (name === 'page' ? defaults.backend : undefined);
  const clientId = attributes['client-id'] || (name === 'page' ? defaults.clientId : undefined);
  return {
    element: name === 'page' ? 'the page' : `<${name}>`,
    clientId,
    service,
    hasBackend: backend !== undefined,
    backend: backend === undefined ? undefined : resolve(`${backend.replace(/\/+$/, '')}/`, page.url),
    mode: attributes.mode === 'redirect' ? 'redirect' : 'popup',
    scopes: (attributes.scope ?? 'memberships.read').split(/[\s,]+/).filter((scope) => scope !== ''),
    returnUrl: attributes['return-url'] || undefined,
    callback: callbackOf(page, { clientId, service }, attributes['callback-url']),
  };
}

/** The callback page as the widget chooses it: the service's if the script comes from there, else one of the site. */
function callbackOf(
  page: SitePage,
  { clientId, service }: Pick<WidgetSession, 'clientId' | 'service'>,
  given: string | undefined,
): WidgetSession['callback'] {
  const script = page.scripts.find(isWidgetScript);
  // A bundle of the site decides on the default itself.
  if (service === undefined || (script === undefined && !given)) return undefined;
  const hosted = resolve(WIDGET_CALLBACK_PATH.replace('{clientId}', clientId ?? ''), new URL(page.url));
  const hostedUrl = resolve(`${service}${hosted?.pathname ?? ''}`, page.url);
  const isFromService = hostedUrl !== undefined && script?.url?.origin === hostedUrl.origin;
  const url = given
    ? resolve(given, page.url)
    : isFromService
      ? hostedUrl
      : resolve(SITE_CALLBACK_PATH, page.url);
  return url === undefined ? undefined : { url, isHosted: url.href === hostedUrl?.href };
}
