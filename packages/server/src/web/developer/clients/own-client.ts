import { findOwnClient, type OAuthClient } from '../../../domain/oauth/clients.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { type HttpFailure, notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../../sign-in/area-route.js';
import type { AreaFrame } from '../../ui/area-page.js';
import type { Page } from '../../ui/site.js';
import { developerSecretPage } from '../frame/developer-secret-page.js';

interface OwnClientNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

export const CLIENTS_HOME = '/developer/clients';

/** Parameters of the addresses below one client. */
interface ClientParams extends Record<string, string> {
  clientId: string;
}

export function clientPath(clientId: string): string {
  return `${CLIENTS_HOME}/${clientId}`;
}

/** A page about one of the person's own clients. Somebody else's is not there. */
export function ownClientPage(
  needs: OwnClientNeeds,
  show: (areaRequest: AreaRequest<ClientParams>, client: OAuthClient) => void | Promise<void>,
) {
  return areaPage<ClientParams>(needs, async (areaRequest) => {
    const client = await findOwn(needs, areaRequest);
    if (client === undefined) throw noSuchClient();
    await show(areaRequest, client);
  });
}

/** A form about one of the person's own clients. */
export function ownClientForm(
  needs: OwnClientNeeds,
  take: (form: AreaForm<ClientParams>, client: OAuthClient) => void | Promise<void>,
) {
  return areaForm<ClientParams>(needs, CLIENTS_HOME, async (form) => {
    const client = await findOwn(needs, form);
    if (client === undefined) throw noSuchClient();
    await take(form, client);
  });
}

/** Failure for a client that does not exist or belongs to another user. */
export function noSuchClient(): HttpFailure {
  return notFound('There is no such app.');
}

/** What a client's new secret is shown on. */
interface ClientSecret {
  frame: AreaFrame;
  client: Pick<OAuthClient, 'clientId' | 'name'>;
  secret: string;
  title: string;
  /** What to know about it besides, a sentence each. */
  notes: readonly string[];
}

/** The only page that ever shows a client's secret: the answer to the form that made it. */
export function clientSecretPage({ frame, client, secret, title, notes }: ClientSecret): Page {
  return developerSecretPage({
    frame,
    section: CLIENTS_HOME,
    title,
    subject: client.name,
    secretLabel: 'Client secret',
    secret,
    lead: 'Copy it now, to a place for secrets. It is shown this once: the service keeps no copy that could be read.',
    notes: [
      `The app’s client id is ${client.clientId}.`,
      'The secret belongs on your server, which sends it when it asks for tokens. Never put it into a page.',
      ...notes,
    ],
    done: { href: clientPath(client.clientId), label: 'I have copied it' },
  });
}

function findOwn({ db }: OwnClientNeeds, { user, request }: AreaRequest<ClientParams>) {
  return findOwnClient(db, { clientId: request.params.clientId, ownerId: user.id });
}
