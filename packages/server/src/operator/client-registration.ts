import { isOAuthScope, URL_MAX_LENGTH } from '@latchkey/contract';
import { isLoopback, parseWebOrigin } from '../http/web-origin.js';
import { hostedCallbackOf } from '../widget/hosted-callback.js';
import { invalidInput } from './operator-error.js';

/** RFC 3986 section 2; nothing else can stand in a Location header for certain. */
const URI_CHARACTERS = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Hosts become a source in the consent page's policy, where commas and semicolons would end it. */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/** What a client's owner chooses. */
export interface ClientSettings {
  name: string;
  description?: string | undefined;
  /** `https:`, `http:` or an image as `data:`. */
  logoUrl?: string | undefined;
  /** Scopes that the client may ask for. */
  scopes: readonly string[];
  /** Addresses that may receive codes; matched exactly. https, or http on a loopback address; no fragment. */
  redirectUris: readonly string[];
  /** Origins whose pages may receive codes through the hosted callback. https, or http on a loopback address. */
  widgetOrigins: readonly string[];
  /** Registers the hosted widget callback of this very client besides `redirectUris`. Default false. */
  hostedCallback?: boolean | undefined;
}

/**
 * Checks what a client's owner chose and gives it in the form that is stored.
 * @throws OperatorError `invalid_input`
 */
export function checkClientSettings(settings: ClientSettings, baseUrl: string, clientId: string) {
  const {
    name,
    description,
    logoUrl,
    scopes,
    redirectUris,
    widgetOrigins,
    hostedCallback = false,
  } = settings;
  if (name.trim() === '') throw invalidInput('name must not be empty.');
  if (logoUrl !== undefined && !/^(?:https?:|data:image\/)/i.test(logoUrl)) {
    throw invalidInput('logoUrl must be an https:, http: or data:image/ address.');
  }
  const own = hostedCallbackOf(baseUrl, clientId);
  for (const uri of redirectUris) checkRedirectUri(uri, baseUrl, own);
  return {
    name: name.trim(),
    description: description ?? null,
    logoUrl: logoUrl ?? null,
    scopes: [...new Set(scopes)].map((scope) => {
      if (isOAuthScope(scope)) return scope;
      throw invalidInput(`scopes holds "${scope}", which is no scope of this service.`);
    }),
    redirectUris: [...new Set([...redirectUris, ...(hostedCallback ? [own] : [])])],
    widgetOrigins: [...new Set(widgetOrigins.map(checkWidgetOrigin))],
  };
}

/**
 * On the service's own origin only the client's own hosted callback may be registered. Another client's would hand out
 * codes on the word of that client's owner.
 */
function checkRedirectUri(uri: string, baseUrl: string, ownCallback: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || uri.length > URL_MAX_LENGTH || !URI_CHARACTERS.test(uri)) {
    throw invalidInput(`redirectUris holds "${uri}", which is not an absolute URL.`);
  }
  if (uri.includes('#')) throw invalidInput(`redirectUris holds "${uri}": a redirect URI has no fragment.`);
  if (!travelsUnread(url)) {
    throw invalidInput(`redirectUris holds "${uri}": use https, or http on a loopback address.`);
  }
  // "https:/path" is a host to a parser, and to a browser on the service a path of it.
  if (!uri.startsWith(url.origin) || !PLAIN_HOST.test(url.hostname)) {
    throw invalidInput(`redirectUris holds "${uri}": begin with an origin such as https://shop.example.`);
  }
  if (url.origin === baseUrl && uri !== ownCallback) {
    throw invalidInput(
      `redirectUris holds "${uri}": on the service itself a client can register nothing but its own callback, ${ownCallback}.`,
    );
  }
}

function checkWidgetOrigin(text: string): string {
  const origin = parseWebOrigin(text);
  if (origin === undefined || (text !== origin && text !== `${origin}/`)) {
    throw invalidInput(`widgetOrigins holds "${text}": give an origin such as https://shop.example.`);
  }
  // Whoever can alter a page on its way can open the popup from it, and is posted the code.
  if (!travelsUnread(new URL(origin))) {
    throw invalidInput(`widgetOrigins holds "${text}": use https, or http on a loopback address.`);
  }
  return origin;
}

/** Whether what is sent to the address can be read and altered by nobody in between. */
function travelsUnread(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
