import type { Needs } from '../../../app/services.js';
import { findOwnClient, type OAuthClient } from '../../../domain/oauth/clients.js';
import { type HttpFailure, notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../../sign-in/area-route.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { developerSecretPage } from '../frame/developer-secret-page.js';

export const CLIENTS_HOME = '/developer/clients';

/** Parameters of the addresses below one client. */
interface ClientParams extends Record<string, string> {
  clientId: string;
}

export function clientPath(clientId: string): string {
  return `${CLIENTS_HOME}/${clientId}`;
}

/** Creates the handler of a page about a client. Sends 404 unless the signed-in user owns the client. */
export function ownClientPage(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (areaRequest: AreaRequest<ClientParams>, client: OAuthClient) => void | Promise<void>,
) {
  return areaPage<ClientParams>(needs, async (areaRequest) => {
    const client = await findOwn(needs, areaRequest);
    if (client === undefined) throw noSuchClient();
    await show(areaRequest, client);
  });
}

/** Creates the handlers of a form about a client. Sends 404 unless the signed-in user owns the client. */
export function ownClientForm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  handle: (form: AreaForm<ClientParams>, client: OAuthClient) => void | Promise<void>,
) {
  return areaForm<ClientParams>(needs, CLIENTS_HOME, async (form) => {
    const client = await findOwn(needs, form);
    if (client === undefined) throw noSuchClient();
    await handle(form, client);
  });
}

/** Failure for a client that does not exist or belongs to another user. */
export function noSuchClient(): HttpFailure {
  return notFound('There is no such app.');
}

interface ClientSecret {
  frame: AreaFrame;
  client: Pick<OAuthClient, 'clientId' | 'name'>;
  secret: string;
  title: string;
  /** Additional notes, one sentence each. */
  notes: readonly string[];
}

/** Renders the response to a form that created a secret. No other page shows it. */
export function clientSecretPage({ frame, client, secret, title, notes }: ClientSecret): Page {
  return developerSecretPage({
    frame,
    section: CLIENTS_HOME,
    title,
    subject: client.name,
    id: { label: 'Client ID', value: client.clientId },
    secretLabel: 'Client secret',
    secret,
    lead: "Copy the secret now and store it safely. You won't be able to see it again, because the service stores only a hash.",
    notes: [
      'Keep the secret on your server, which sends it when it requests tokens. Never put it into a page.',
      ...notes,
    ],
    done: { href: clientPath(client.clientId), label: 'Continue to the app' },
  });
}

function findOwn({ db }: Needs<'baseUrl' | 'clock' | 'db'>, { user, request }: AreaRequest<ClientParams>) {
  return findOwnClient(db, { clientId: request.params.clientId, ownerId: user.id });
}
