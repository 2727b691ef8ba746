import { Router } from 'express';
import type { Services } from '../../../app/services.js';
import { findOnlyOwnCommunity } from '../../../domain/communities/community-access.js';
import {
  clientObstacles,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../../../domain/oauth/client-settings.js';
import {
  createClientId,
  createClientSecret,
  listOwnClients,
  type OAuthClient,
  registerClient,
  updateClient,
} from '../../../domain/oauth/clients.js';
import { countConsentingUsers } from '../../../domain/oauth/consents.js';
import { readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { redirect } from '../../../platform/http/redirect.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import {
  CLIENTS_MAX,
  clientFieldsOf,
  clientFormErrors,
  clientSettingsOf,
  EMPTY_CLIENT_FIELDS,
  fieldsOfClient,
} from './client-form.js';
import { clientSnippets } from './client-snippet.js';
import { type ClientFields, developerClientFormPage } from './developer-client-form-page.js';
import { developerClientPage } from './developer-client-page.js';
import { developerClientsPage } from './developer-clients-page.js';
import {
  CLIENTS_HOME,
  clientPath,
  clientSecretPage,
  noSuchClient,
  ownClientForm,
  ownClientPage,
} from './own-client.js';

const NEW = '/developer/clients/new';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['registered', 'App registered.'],
  ['saved', 'Settings saved. They apply from now on.'],
  ['public', 'The app is now public. Its secret is revoked.'],
  ['confidential', 'The app was already confidential. Its secret has not changed.'],
  ['deleted', 'App deleted. All users are signed out of it.'],
  [
    'sent-before',
    'This form was already processed, and its secret was shown once. If you did not copy it, replace the secret on the app’s page.',
  ],
]);

/** Routes that list, register, show and edit apps (spec, "OAuth 2.0 (sign-in)", 1). */
export function clientRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(CLIENTS_HOME)
    .get(listClients(needs))
    .post(postRegistration(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route(NEW).get(showNewClient(needs)).all(methodNotAllowed('GET'));
  router
    .route('/developer/clients/:clientId')
    .get(showClient(needs))
    .post(saveClient(needs))
    .all(methodNotAllowed('GET, POST'));
  router.route('/developer/clients/:clientId/edit').get(showEdit(needs)).all(methodNotAllowed('GET'));
  return router;
}

function listClients(needs: Services) {
  const { db, baseUrl } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const { rows, next } = await listOwnClients(db, user.id, after);
    const clients = rows.map((client) => ({
      ...client,
      hasObstacle: clientObstacles(withHostedCallback(client, baseUrl)).length > 0,
    }));
    const html = developerClientsPage({
      frame,
      clients: { rows: clients, next },
      isFirst: after === undefined,
      notice: noticeOf(requestQuery(request)),
    });
    sendPage(response, html);
  });
}

function showNewClient(needs: Services) {
  return areaPage(needs, ({ frame, response }) => {
    const html = developerClientFormPage({
      frame,
      fields: EMPTY_CLIENT_FIELDS,
      subject: { submission: newSubmissionId() },
      hostedCallbackUri: hostedCallbackOf(needs.baseUrl, '{client id}'),
    });
    sendPage(response, html);
  });
}

function postRegistration(needs: Services) {
  const { db, clock, baseUrl, site } = needs;
  return areaForm(needs, NEW, async ({ user, frame, form, response }) => {
    const fields = clientFieldsOf(form);
    const submission = submissionIdOf(form);
    const page = {
      frame,
      fields,
      subject: { submission },
      hostedCallbackUri: hostedCallbackOf(baseUrl, '{client id}'),
    };
    const sendErrors = (errors: readonly FormError[]) => {
      sendPage(response, developerClientFormPage({ ...page, errors }), { status: 400 });
    };
    if (form.has('preview')) return sendPage(response, developerClientFormPage({ ...page, isPreview: true }));
    const settings = clientSettingsOf(fields);
    const address = { baseUrl, clientId: createClientId() };
    const type = typeOf(fields);
    const errors = clientFormErrors(settings, { ...address, serviceName: site.brand.name });
    if (type === undefined) return sendErrors([...errors, { field: 'type', message: 'Choose a type.' }]);
    if (errors.length > 0) return sendErrors(errors);

    const secret = type === 'confidential' ? createClientSecret() : undefined;
    const client: OAuthClient = {
      ...clientSettingsSchema(address).parse(settings),
      clientId: address.clientId,
      ownerId: user.id,
      type,
      secretHash: secret?.hash ?? null,
      verifiedAt: null,
    };
    const result = await registerClient(
      db,
      client,
      { submissionId: submission, limit: CLIENTS_MAX },
      clock.now(),
    );
    if (result.kind === 'too-many') {
      return sendErrors([
        {
          field: 'name',
          message: `You have ${CLIENTS_MAX} apps, which is the maximum. Delete an app before you register another.`,
        },
      ]);
    }
    if (result.kind === 'already-submitted')
      return redirect(response, 303, `${CLIENTS_HOME}?done=sent-before`);
    if (secret === undefined)
      return redirect(response, 303, `${clientPath(client.clientId)}?done=registered`);
    const title = 'The app is registered';
    sendPage(response, clientSecretPage({ frame, client, secret: secret.text, title, notes: [] }));
  });
}

function showClient(needs: Services) {
  const { db, baseUrl, serviceNames } = needs;
  return ownClientPage(needs, async ({ frame, request, response, user }, client) => {
    const subject = withHostedCallback(client, baseUrl);
    const html = developerClientPage({
      frame,
      client,
      people: await countConsentingUsers(db, client.clientId),
      obstacles: clientObstacles(subject),
      snippets: clientSnippets(subject, {
        baseUrl,
        serviceNames,
        communityId: await findOnlyOwnCommunity(db, user.id),
      }),
      notice: noticeOf(requestQuery(request)),
    });
    sendPage(response, html);
  });
}

function showEdit(needs: Services) {
  const { baseUrl } = needs;
  return ownClientPage(needs, ({ frame, response }, client) => {
    const html = developerClientFormPage({
      frame,
      fields: fieldsOfClient(client, baseUrl),
      subject: client,
      hostedCallbackUri: hostedCallbackOf(baseUrl, client.clientId),
    });
    sendPage(response, html);
  });
}

function saveClient(needs: Services) {
  const { db, baseUrl, site } = needs;
  return ownClientForm(needs, async ({ user, frame, form, response }, client) => {
    const { clientId } = client;
    const fields = clientFieldsOf(form);
    const page = { frame, fields, subject: client, hostedCallbackUri: hostedCallbackOf(baseUrl, clientId) };
    if (form.has('preview')) return sendPage(response, developerClientFormPage({ ...page, isPreview: true }));
    const settings = clientSettingsOf(fields);
    // The operator may have given the client the name of the service.
    const serviceName = settings.name === client.name ? '' : site.brand.name;
    const errors = clientFormErrors(settings, { baseUrl, clientId, serviceName });
    if (errors.length > 0) {
      return sendPage(response, developerClientFormPage({ ...page, errors }), { status: 400 });
    }
    const saved = await updateClient(
      db,
      { clientId, ownerId: user.id },
      { settings: clientSettingsSchema({ baseUrl, clientId }).parse(settings) },
    );
    if (saved === undefined) throw noSuchClient();
    redirect(response, 303, `${clientPath(clientId)}?done=saved`);
  });
}

function typeOf({ type }: ClientFields): OAuthClient['type'] | undefined {
  return type === 'public' || type === 'confidential' ? type : undefined;
}

function withHostedCallback(client: OAuthClient, baseUrl: string) {
  const hostedCallback = client.redirectUris.includes(hostedCallbackOf(baseUrl, client.clientId));
  return { ...client, hostedCallback };
}

function noticeOf(query: URLSearchParams): string | undefined {
  return NOTICES.get(query.get('done') ?? '');
}
