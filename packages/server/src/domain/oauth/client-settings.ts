import { isOAuthScope, URL_MAX_LENGTH } from '@latchkey/contract/constants';
import { isLoopback, parseWebOrigin } from '../../platform/http/web-origin.js';
import { NAME_MAX_LENGTH, readName } from '../../platform/names.js';
import { invalidInput } from '../operator/operator-error.js';
import { hostedCallbackOf } from './hosted-callback.js';

/** Longest description of a client, in characters. */
const DESCRIPTION_MAX_LENGTH = 500;
/** Longest logo that is written into its address (`data:`), in characters: it travels with every page that shows it. */
const LOGO_DATA_MAX_LENGTH = 16_384;
/** Most redirect URIs, and most web origins, of one client. */
const ADDRESSES_MAX = 50;

/** Characters that no text of a person holds; PostgreSQL cannot keep the first of them. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** RFC 3986 section 2; nothing else can stand in a Location header for certain. */
const URI_CHARACTERS = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Hosts become a source in the consent page's policy, where commas and semicolons would end it. */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

const TRAVELS_READABLE = 'Use https, or http on a loopback address such as localhost.';

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

/** What is wrong with one of the settings. */
export interface ClientFault {
  field: keyof ClientSettings;
  /** The entry that is wrong, of a list. */
  value?: string;
  /** A whole sentence. */
  reason: string;
}

/** Where a client's own hosted callback lies. */
export interface ClientAddress {
  /** The service's own origin. */
  baseUrl: string;
  clientId: string;
}

/**
 * Checks what a client's owner chose and gives it in the form that is stored.
 * @throws OperatorError `invalid_input`
 */
export function checkClientSettings(settings: ClientSettings, address: ClientAddress) {
  const [fault] = findClientFaults(settings, address);
  if (fault === undefined) return storedClientSettings(settings, address);
  const { field, value, reason } = fault;
  throw invalidInput(value === undefined ? `${field}: ${reason}` : `${field} holds "${value}": ${reason}`);
}

/** Everything that is wrong with what a client's owner chose. */
export function findClientFaults(settings: ClientSettings, address: ClientAddress): ClientFault[] {
  const { name, description = '', logoUrl, scopes, redirectUris, widgetOrigins } = settings;
  const faults: ClientFault[] = [];
  if (readName(name) === undefined) {
    faults.push({ field: 'name', reason: `Give a name of 1 to ${NAME_MAX_LENGTH} characters, on one line.` });
  }
  if (description.length > DESCRIPTION_MAX_LENGTH || UNPRINTABLE.test(description)) {
    const reason = `Give plain text of at most ${DESCRIPTION_MAX_LENGTH} characters.`;
    faults.push({ field: 'description', reason });
  }
  const logoFault = logoUrl === undefined ? undefined : faultOfLogo(logoUrl);
  if (logoFault !== undefined) faults.push({ field: 'logoUrl', reason: logoFault });
  for (const scope of scopes) {
    if (!isOAuthScope(scope))
      faults.push({ field: 'scopes', value: scope, reason: 'The service has no such scope.' });
  }
  for (const [field, entries] of Object.entries({ redirectUris, widgetOrigins }) as [
    'redirectUris' | 'widgetOrigins',
    readonly string[],
  ][]) {
    if (entries.length > ADDRESSES_MAX) faults.push({ field, reason: `Give at most ${ADDRESSES_MAX}.` });
  }
  for (const value of redirectUris) {
    const reason = faultOfRedirectUri(value, address);
    if (reason !== undefined) faults.push({ field: 'redirectUris', value, reason });
  }
  for (const value of widgetOrigins) {
    const reason = faultOfWidgetOrigin(value);
    if (reason !== undefined) faults.push({ field: 'widgetOrigins', value, reason });
  }
  return faults;
}

/** Settings without a fault, in the form that is stored. */
export function storedClientSettings(settings: ClientSettings, { baseUrl, clientId }: ClientAddress) {
  const { name, description, logoUrl, scopes, redirectUris, widgetOrigins, hostedCallback } = settings;
  const own = hostedCallbackOf(baseUrl, clientId);
  return {
    name: name.trim(),
    description: description ?? null,
    logoUrl: logoUrl ?? null,
    scopes: [...new Set(scopes)].filter(isOAuthScope),
    redirectUris: [...new Set([...redirectUris, ...(hostedCallback === true ? [own] : [])])],
    widgetOrigins: [...new Set(widgetOrigins.map((text) => parseWebOrigin(text) ?? text))],
  };
}

function faultOfLogo(logoUrl: string): string | undefined {
  const isData = /^data:image\//i.test(logoUrl);
  if (UNPRINTABLE.test(logoUrl) || (!isData && !(/^https?:/i.test(logoUrl) && URL.canParse(logoUrl)))) {
    return 'Give an https:, http: or data:image/ address.';
  }
  const limit = isData ? LOGO_DATA_MAX_LENGTH : URL_MAX_LENGTH;
  return logoUrl.length > limit ? `The address is longer than ${limit} characters.` : undefined;
}

/**
 * On the service's own origin only the client's own hosted callback may be registered. Another client's would hand out
 * codes on the word of that client's owner.
 */
function faultOfRedirectUri(uri: string, { baseUrl, clientId }: ClientAddress): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || uri.length > URL_MAX_LENGTH || !URI_CHARACTERS.test(uri)) {
    return `That is not an absolute URL of at most ${URL_MAX_LENGTH} characters.`;
  }
  if (uri.includes('#')) return 'A redirect URI has no fragment: leave out the # and what follows.';
  if (!travelsUnread(url)) return TRAVELS_READABLE;
  // "https:/path" is a host to a parser, and to a browser on the service a path of it.
  if (!uri.startsWith(url.origin) || !PLAIN_HOST.test(url.hostname)) {
    return 'Begin with an origin such as https://shop.example.';
  }
  const own = hostedCallbackOf(baseUrl, clientId);
  return url.origin === baseUrl && uri !== own
    ? `On the service itself a client can register nothing but its own hosted callback, ${own}.`
    : undefined;
}

function faultOfWidgetOrigin(text: string): string | undefined {
  const origin = parseWebOrigin(text);
  if (origin === undefined || (text !== origin && text !== `${origin}/`)) {
    return 'Give an origin such as https://shop.example, without a path.';
  }
  // Whoever can alter a page on its way can open the popup from it, and is posted the code.
  return travelsUnread(new URL(origin)) ? undefined : TRAVELS_READABLE;
}

/** Whether what is sent to the address can be read and altered by nobody in between. */
function travelsUnread(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
