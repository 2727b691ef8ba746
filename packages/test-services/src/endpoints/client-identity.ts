import type { FakeRequest } from '../messages/fake-request.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondFailure, respondSuccess } from './respond.js';

/** `GET /oauth/client/{clientId}`, with `widgetOriginAllowed` if the request names an origin. */
export function clientIdentity(
  { query }: FakeRequest,
  context: EndpointContext,
  [clientId = '']: readonly string[],
): Response {
  const { reading, findClient } = context;
  const client = findClient(clientId);
  if (client === undefined) {
    const message = reading.messages.noSuchClient;
    return respondFailure(context, { status: 404, errorCode: 'not_found', message });
  }
  const origin = query.get('widget_origin');
  const allowed =
    origin === null ? {} : { widgetOriginAllowed: client.allowedOrigins?.includes(origin) ?? true };
  return respondSuccess(context, { status: 200, data: { ...reading.client(client), ...allowed } });
}
