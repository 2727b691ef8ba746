import type { ClientIdentity } from '@latchkey/contract';
import type { RequestHandler } from 'express';
import { findClient, type OAuthClient } from '../../domain/oauth/clients.js';
import type { Database } from '../../platform/database/open-database.js';
import { failureEnvelope } from '../../platform/http/failure.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { parseWebOrigin } from '../../platform/http/web-origin.js';

interface ClientIdentityNeeds {
  readonly logUrl: string | undefined;
  readonly db: Database;
}

/**
 * `GET /oauth/client/{clientId}` (spec, section of that name): returns the public data of a client. With `widget_origin`
 * it also reports if that origin may receive the client's codes. Malformed and repeated origins may not.
 */
export function clientIdentity(needs: ClientIdentityNeeds): RequestHandler<{ clientId: string }> {
  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const client = await findClient(needs.db, request.params.clientId);
    if (client === undefined) {
      const failure = { errorCode: 'not_found', message: 'There is no client with this id.' } as const;
      response.status(404).json(failureEnvelope(needs, request, failure));
      return;
    }
    const origins = requestQuery(request).getAll('widget_origin');
    const data: ClientIdentity = {
      clientId: client.clientId,
      name: client.name,
      ...(client.description !== null && { description: client.description }),
      ...(client.logoUrl !== null && { logoUrl: client.logoUrl }),
      ...(origins.length > 0 && { widgetOriginAllowed: mayReceiveCode(client, origins) }),
    };
    response.json({ success: true, data });
  };
}

function mayReceiveCode({ widgetOrigins }: OAuthClient, [text = '', ...others]: readonly string[]): boolean {
  const origin = parseWebOrigin(text);
  return others.length === 0 && origin !== undefined && widgetOrigins.includes(origin);
}
