import type { Router } from 'express';
import type { Services } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { t } from '../../platform/language/language.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../../web/kit/areas/area-routes.js';
import { CLIENTS_HOME, inDeveloper } from '../../web/kit/areas/developer-area.js';
import { type AreaFrame, type ConfirmPageProps, confirmPage } from '../../web/kit/frame/area-page.js';
import { sendPage } from '../../web/kit/frame/send-page.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../../web/kit/parts/form-parts.js';
import { shownList } from '../../web/kit/parts/table.js';
import { findOnlyOwnCommunity } from '../communities/community-access.js';
import { countConsentingUsers } from '../oauth/consents.js';
import {
  type ClientSettings,
  clientObstacles,
  clientSettingsSchema,
  hostedCallbackOf,
} from './client.resource.js';
import {
  CLIENT,
  clientFormErrors,
  developerClientFormPage,
  valuesOfClient,
  withHostedCallback,
} from './client-form.pages.js';
import { clientSnippets } from './client-snippet.js';
import {
  createClientId,
  createClientSecret,
  deleteClient,
  findOwnClient,
  listOwnClients,
  type OAuthClient,
  registerClient,
  rotateClientSecret,
  updateClient,
} from './clients.js';
import {
  clientNotice,
  clientPath,
  clientSecretPage,
  developerClientPage,
  developerClientsPage,
} from './clients.pages.js';

/** Message of the 404 responses, for developers. The page has its own wording. */
const NO_CLIENT = 'There is no such app.';

const CLIENTS_MAX = 50;

const NEW = `${CLIENTS_HOME}/new`;

export function clientRoutes(needs: Services): Router {
  const { db, clock, baseUrl, site } = needs;
  return areaRoutes(needs, NEW, {
    [CLIENTS_HOME]: { get: list, post: register },
    [NEW]: { get: showNew },
  });

  async function list({ user, frame, query }: AreaRequest) {
    const { rows, ...page } = await shownList(query, (after) => listOwnClients(db, user.id, after));
    const clients = rows.map((client) => ({
      ...client,
      hasObstacle: clientObstacles(withHostedCallback(client, baseUrl)).length > 0,
    }));
    const notice = clientNotice(query);
    return developerClientsPage({ frame, clients: { rows: clients, ...page }, notice });
  }

  function showNew({ frame }: AreaRequest) {
    return developerClientFormPage({
      frame,
      values: CLIENT.empty,
      subject: { submission: newSubmissionId() },
      hostedCallbackUri: hostedCallbackOf(baseUrl, '{client id}'),
    });
  }

  async function register({ user, frame, form, response }: AreaForm) {
    const values = CLIENT.read(form);
    const submission = submissionIdOf(form);
    const hostedCallbackUri = hostedCallbackOf(baseUrl, '{client id}');
    const page = { frame, values, subject: { submission }, hostedCallbackUri };
    const withErrors = (...errors: FormError[]) => developerClientFormPage({ ...page, errors });
    if (form.has('preview')) return sendPage(response, developerClientFormPage({ ...page, isPreview: true }));
    const settings = CLIENT.given(form) as ClientSettings;
    const address = { baseUrl, clientId: createClientId() };
    const { type } = values;
    const errors = clientFormErrors(settings, { ...address, serviceName: site.brand.name });
    if (type !== 'public' && type !== 'confidential')
      return withErrors(...errors, { field: 'type', message: t('Choose a type.') });
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
      const message = t(
        'You have {max} apps, which is the maximum. Delete an app before you register another.',
        { max: CLIENTS_MAX },
      );
      return withErrors({ field: 'name', message });
    }
    if (result.kind === 'already-submitted') return `${CLIENTS_HOME}?done=sent-before`;
    if (secret === undefined) return `${clientPath(client.clientId)}?done=registered`;
    const title = t('The app is registered');
    return sendPage(response, clientSecretPage(frame, client, { secret: secret.text, title }));
  }
}

type Subject = { client: OAuthClient; path: string };

export function ownClientRoutes(needs: Services): Router {
  const { db, clock, baseUrl, serviceNames, site } = needs;
  const one = `${CLIENTS_HOME}/:clientId`;
  const options = { home: CLIENTS_HOME, subject: ownClient };
  return areaRoutes<Subject>(needs, options, {
    [one]: { get: show, post: save },
    [`${one}/edit`]: { get: showEdit },
    [`${one}/type/confidential`]: { get: askToMakeConfidential, post: makeConfidential },
    [`${one}/type/public`]: { get: askToMakePublic, post: makePublic },
    [`${one}/secret`]: { get: askToReplaceSecret, post: replaceSecret },
    [`${one}/delete`]: { get: deletionPage, post: remove },
  });

  async function ownClient({ user, request }: AreaRequest): Promise<Subject> {
    const client = await findOwnClient(db, { clientId: request.params.clientId ?? '', ownerId: user.id });
    if (client === undefined) throw notFound(NO_CLIENT);
    return { client, path: clientPath(client.clientId) };
  }

  async function show({ frame, query, user, client }: AreaRequest & Subject) {
    const subject = withHostedCallback(client, baseUrl);
    const communityId = await findOnlyOwnCommunity(db, user.id);
    return developerClientPage({
      frame,
      client,
      people: await countConsentingUsers(db, client.clientId),
      obstacles: clientObstacles(subject),
      snippets: clientSnippets(subject, { baseUrl, serviceNames, communityId }),
      notice: clientNotice(query),
    });
  }

  function showEdit({ frame, client }: AreaRequest & Subject) {
    const hostedCallbackUri = hostedCallbackOf(baseUrl, client.clientId);
    const values = valuesOfClient(client, baseUrl);
    return developerClientFormPage({ frame, values, subject: client, hostedCallbackUri });
  }

  async function save({ frame, form, response, client, path }: AreaForm & Subject) {
    const { clientId } = client;
    const values = CLIENT.read(form);
    const page = { frame, values, subject: client, hostedCallbackUri: hostedCallbackOf(baseUrl, clientId) };
    if (form.has('preview')) return sendPage(response, developerClientFormPage({ ...page, isPreview: true }));
    const settings = CLIENT.given(form) as ClientSettings;
    const serviceName = site.brand.name;
    const errors = clientFormErrors(settings, { baseUrl, clientId, serviceName, stored: client });
    if (errors.length > 0) return developerClientFormPage({ ...page, errors });
    const checked = clientSettingsSchema({ baseUrl, clientId }).parse(settings);
    if ((await updateClient(db, client, { settings: checked })) === undefined) throw notFound(NO_CLIENT);
    return `${path}?done=saved`;
  }

  function askToMakeConfidential({ frame, client, path }: AreaRequest & Subject) {
    if (client.type === 'confidential') return path;
    return askAbout(frame, client, {
      title: t('Make the app confidential?'),
      consequences: [
        t('The app gets a secret. We show it once, on the next page.'),
        t(
          'The app must then send the secret when it requests tokens. The login widget cannot do that without a server, so sign-in stops working on pages that use the widget alone.',
        ),
        t('Existing access tokens stay valid until they expire.'),
      ],
      action: `${path}/type/confidential`,
      button: t('Make app confidential'),
      isDangerous: false,
    });
  }

  async function makeConfidential({ frame, response, client, path }: AreaForm & Subject) {
    const { text, hash } = createClientSecret();
    const changed = await updateClient(db, client, { type: { to: 'confidential', newSecretHash: hash } });
    if (changed === undefined) throw notFound(NO_CLIENT);
    // The app was already confidential and kept its secret. Reloading the response page ends up here.
    if (changed.secretHash !== hash) return `${path}?done=confidential`;
    const title = t('The app is now confidential');
    return sendPage(response, clientSecretPage(frame, client, { secret: text, title }));
  }

  function askToMakePublic({ frame, client, path }: AreaRequest & Subject) {
    if (client.type === 'public') return path;
    return askAbout(frame, client, {
      title: t('Make the app public?'),
      consequences: [
        t('Its secret is revoked at once. Token requests that still send it fail with invalid_client.'),
        t('Every sign-in then requires PKCE. The login widget and the Express kit always use it.'),
        t('Existing access tokens stay valid until they expire.'),
      ],
      action: `${path}/type/public`,
      button: t('Make app public'),
    });
  }

  async function makePublic({ client, path }: AreaForm & Subject) {
    const changed = await updateClient(db, client, { type: { to: 'public' } });
    if (changed === undefined) throw notFound(NO_CLIENT);
    return `${path}?done=public`;
  }

  function askToReplaceSecret({ frame, client, path }: AreaRequest & Subject) {
    if (client.type === 'public') return path;
    return askAbout(frame, client, {
      title: t('Replace the secret?'),
      consequences: [
        t(
          'The old secret is revoked at once. Until your server uses the new one, users cannot sign in and tokens cannot be refreshed.',
        ),
        t('Existing access tokens stay valid until they expire.'),
        t('We show the new secret once, on the next page.'),
      ],
      action: `${path}/secret`,
      submission: newSubmissionId(),
      button: t('Replace secret'),
    });
  }

  async function replaceSecret({ frame, form, response, client, path }: AreaForm & Subject) {
    const { text, hash } = createClientSecret();
    const once = { secretHash: hash, submissionId: submissionIdOf(form) };
    const result = await rotateClientSecret(db, client, once, clock.now());
    if (result.kind === 'not-confidential') return path;
    if (result.kind === 'already-submitted') return `${path}?done=sent-before`;
    const notes = [t('The previous secret of the app is revoked.')];
    const title = t('The app’s new secret');
    return sendPage(response, clientSecretPage(frame, client, { secret: text, title, notes }));
  }

  async function remove(area: AreaForm & Subject) {
    const { form, client } = area;
    const typed = form.get('confirmation') ?? '';
    if (!confirms(typed, client)) return deletionPage(area, typed);
    if (!(await deleteClient(db, client))) throw notFound(NO_CLIENT);
    return `${CLIENTS_HOME}?done=deleted`;
  }

  /** Asks for the app's name. Anything else that is typed is an error. */
  async function deletionPage({ frame, client, path }: AreaRequest & Subject, typed?: string) {
    return askAbout(frame, client, {
      title: t('Delete the app?'),
      consequences: [
        signOutConsequence(await countConsentingUsers(db, client.clientId)),
        t('Sign-in stops working on all sites that use its client ID. The ID is never used again.'),
        t('You cannot restore a deleted app.'),
      ],
      action: `${path}/delete`,
      confirmation: {
        label: t('To confirm, enter the name of the app: {name}', { name: client.name }),
        value: typed ?? '',
      },
      errors:
        typed === undefined
          ? undefined
          : [{ field: 'confirmation', message: t('Enter the name of the app or its client ID.') }],
      button: t('Delete app'),
    });
  }
}

function signOutConsequence(users: number): string {
  if (users === 0) return t('No user has allowed the app yet, so no one is signed out.');
  return t('{count} users have allowed the app and are signed out of it at once.', { count: users });
}

/** True if the user typed the app's name or client id. The id helps with names that are hard to type. */
function confirms(typed: string, { name, clientId }: OAuthClient): boolean {
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return plain(typed) === plain(name) || plain(typed) === clientId;
}

function askAbout(
  frame: AreaFrame,
  { clientId, name }: OAuthClient,
  question: Pick<ConfirmPageProps, 'title' | 'consequences' | 'action' | 'button'> &
    Partial<ConfirmPageProps>,
) {
  const cancel = { href: clientPath(clientId), label: t('Cancel') };
  return confirmPage({ frame, ...inDeveloper(CLIENTS_HOME), subject: name, cancel, ...question });
}
