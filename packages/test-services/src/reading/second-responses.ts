import { SECOND_MESSAGES } from './messages.js';
import type { ResponseReading } from './reading.js';

/** Endpoints that the login widget calls from a browser. Authorize is a navigation. */
const BROWSER_PATHS = /^\/oauth\/(token|revoke|userinfo|memberships|products|client\/[^/]+)$/;

/**
 * Unknown fields with names that appear twice. "Clients must ignore unknown response fields" (specification,
 * "Versioning"), and JSON permits repeated names.
 */
const UNKNOWN_FIELDS = '"x_region":"eu","x_region":["eu",null],"_links":{"self":{"href":"/"}}';

export const SECOND_RESPONSES: ResponseReading = {
  messages: SECOND_MESSAGES,
  /** The specification gives examples of descriptions only ("OAuth errors"). */
  description: (error) => `Request declined: ${error.replaceAll('_', ' ')}`,
  /** "Treat every envelope key as optional" ("Versioning"): a success without `success`. */
  success: (data) => ({ data }),
  /** "All traffic is JSON" ("General facts"): the parameters of the content type are open. */
  json: (body, status) =>
    new Response(withUnknownFields(JSON.stringify(body)), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    }),
  /** CORS is not described. A browser needs it at the endpoints of the widget only ("General facts", 4 and 5). */
  cors({ path, headers: { origin } }): Readonly<Record<string, string>> {
    if (!BROWSER_PATHS.test(path) || origin === undefined) return {};
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-allow-methods': 'GET, POST',
      vary: 'Origin',
    };
  },
  preflightStatus: 200,
  /** No time of a response is described. */
  latencyMs: 4,
};

/** Inserts the fields of {@link UNKNOWN_FIELDS} into the text of an object. */
function withUnknownFields(text: string): string {
  return text === '{}' ? `{${UNKNOWN_FIELDS}}` : `{${UNKNOWN_FIELDS},${text.slice(1)}`;
}
