import type { Router } from 'express';
import type { Services } from '../../app/services.js';
import {
  clientObstacles,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../../domain/oauth/client-settings.js';
import {
  createClientId,
  createClientSecret,
  listOwnClients,
  type OAuthClient,
  registerClient,
} from '../../domain/oauth/clients.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../sign-in/area-route.js';
import { sendPage } from '../ui/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../ui/parts/form-parts.js';
import { shownList } from '../ui/parts/list-panel.js';
import {
  clientFieldsOf,
  clientFormErrors,
  clientSettingsOf,
  developerClientFormPage,
  EMPTY_CLIENT_FIELDS,
  withHostedCallback,
} from './client-form.js';
import { CLIENT_NOTICES, clientPath, clientSecretPage, developerClientsPage } from './client-pages.js';
import { CLIENTS_HOME } from './developer-area.js';

/** Maximum number of apps per user. */
const CLIENTS_MAX = 50;

const NEW = `${CLIENTS_HOME}/new`;

/** Routes that list and register apps (spec, "OAuth 2.0 (sign-in)", 1). */
export function clientRoutes(needs: Services): Router {
  const { db, clock, baseUrl, site } = needs;
  return areaRoutes(
    needs,
    { home: NEW },
    {
      [CLIENTS_HOME]: { get: list, post: register },
      [NEW]: { get: showNew },
    },
  );

  async function list({ user, frame, query }: AreaRequest) {
    const { rows, ...page } = await shownList(query, (after) => listOwnClients(db, user.id, after));
    const clients = rows.map((client) => ({
      ...client,
      hasObstacle: clientObstacles(withHostedCallback(client, baseUrl)).length > 0,
    }));
    const notice = CLIENT_NOTICES.get(query.get('done'));
    return developerClientsPage({ frame, clients: { rows: clients, ...page }, notice });
  }

  function showNew({ frame }: AreaRequest) {
    return developerClientFormPage({
      frame,
      fields: EMPTY_CLIENT_FIELDS,
      subject: { submission: newSubmissionId() },
      hostedCallbackUri: hostedCallbackOf(baseUrl, '{client id}'),
    });
  }

  async function register({ user, frame, form, response }: AreaForm) {
    const fields = clientFieldsOf(form);
    const submission = submissionIdOf(form);
    const hostedCallbackUri = hostedCallbackOf(baseUrl, '{client id}');
    const page = { frame, fields, subject: { submission }, hostedCallbackUri };
    const withErrors = (...errors: FormError[]) => developerClientFormPage({ ...page, errors });
    if (form.has('preview')) return sendPage(response, developerClientFormPage({ ...page, isPreview: true }));
    const settings = clientSettingsOf(fields);
    const address = { baseUrl, clientId: createClientId() };
    const { type } = fields;
    const errors = clientFormErrors(settings, { ...address, serviceName: site.brand.name });
    if (type !== 'public' && type !== 'confidential')
      return withErrors(...errors, { field: 'type', message: 'Choose a type.' });
    if (errors.length > 0) return withErrors(...errors);

    const secret = type === 'confidential' ? createClientSecret() : undefined;
    const client: OAuthClient = {
      ...clientSettingsSchema(address).parse(settings),
      clientId: address.clientId,
      ownerId: user.id,
      type,
      secretHash: secret?.hash ?? null,
      verifiedAt: null,
    };
    const once = { submissionId: submission, limit: CLIENTS_MAX };
    const result = await registerClient(db, client, once, clock.now());
    if (result.kind === 'too-many') {
      const message = `You have ${CLIENTS_MAX} apps, which is the maximum. Delete an app before you register another.`;
      return withErrors({ field: 'name', message });
    }
    if (result.kind === 'already-submitted') return `${CLIENTS_HOME}?done=sent-before`;
    if (secret === undefined) return `${clientPath(client.clientId)}?done=registered`;
    const title = 'The app is registered';
    return sendPage(response, clientSecretPage(frame, client, { secret: secret.text, title }));
  }
}
