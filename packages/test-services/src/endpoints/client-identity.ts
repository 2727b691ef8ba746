import type { FakeRequest } from '../messages/fake-request.js';
import type { EndpointContext } from './endpoint-context.js';

/** `GET /oauth/client/{clientId}`, with `widgetOriginAllowed` if the request names an origin. */
export function clientIdentity(
  { query }: FakeRequest,
  { findClient }: EndpointContext,
  [clientId = '']: readonly string[],
): Response {
  const client = findClient(clientId);
  if (client === undefined) {
    const failure = { success: false, errorCode: 'not_found', message: 'No such client.' };
    return Response.json(failure, { status: 404 });
  }
  const origin = query.get('widget_origin');
  const allowed =
    origin === null ? {} : { widgetOriginAllowed: client.allowedOrigins?.includes(origin) ?? true };
  return Response.json({ success: true, data: { clientId, name: client.name, ...allowed } });
}
