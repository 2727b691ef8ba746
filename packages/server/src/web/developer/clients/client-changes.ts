import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import {
  createClientSecret,
  deleteClient,
  type OAuthClient,
  rotateClientSecret,
  updateClient,
} from '../../../domain/oauth/clients.js';
import { countConsentingUsers } from '../../../domain/oauth/consents.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { redirect } from '../../../platform/http/redirect.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import { confirmPage } from '../../ui/frame/confirm-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import {
  CLIENTS_HOME,
  clientPath,
  clientSecretPage,
  noSuchClient,
  ownClientForm,
  ownClientPage,
} from './own-client.js';

/** Routes for changes of an app that require confirmation: type, secret and deletion. */
export function clientChangeRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const changes = [
    ['type/confidential', askToMakeConfidential(needs), makeConfidential(needs)],
    ['type/public', askToMakePublic(needs), makePublic(needs)],
    ['secret', askToReplaceSecret(needs), replaceSecret(needs)],
    ['delete', askToDelete(needs), postDeletion(needs)],
  ] as const;
  for (const [change, ask, act] of changes) {
    router
      .route(`/developer/clients/:clientId/${change}`)
      .get(ask)
      .post(act)
      .all(methodNotAllowed('GET, POST'));
  }
  return router;
}

function askToMakeConfidential(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'confidential') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Make the app confidential?',
      consequences: [
        'The app gets a secret. We show it once, on the next page.',
        'The app must then send the secret when it requests tokens. The login widget cannot do that without a server, so sign-in stops working on pages that use the widget alone.',
        'Existing access tokens stay valid until they expire.',
      ],
      action: `${clientPath(client.clientId)}/type/confidential`,
      button: 'Make app confidential',
      isDangerous: false,
    });
    sendPage(response, html);
  });
}

function makeConfidential(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, frame, response }, { clientId }) => {
    const { text, hash } = createClientSecret();
    const client = await updateClient(
      db,
      { clientId, ownerId: user.id },
      { type: { to: 'confidential', newSecretHash: hash } },
    );
    if (client === undefined) throw noSuchClient();
    // The app was already confidential and kept its secret. Reloading the response page ends here.
    if (client.secretHash !== hash)
      return redirect(response, 303, `${clientPath(clientId)}?done=confidential`);
    const title = 'The app is now confidential';
    sendPage(response, clientSecretPage({ frame, client, secret: text, title, notes: [] }));
  });
}

function askToMakePublic(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'public') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Make the app public?',
      consequences: [
        'Its secret is revoked at once. Token requests that still send it fail with invalid_client.',
        'Every sign-in then requires PKCE. The login widget and the Express kit always use it.',
        'Existing access tokens stay valid until they expire.',
      ],
      action: `${clientPath(client.clientId)}/type/public`,
      button: 'Make app public',
    });
    sendPage(response, html);
  });
}

function makePublic(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, response }, { clientId }) => {
    const client = await updateClient(db, { clientId, ownerId: user.id }, { type: { to: 'public' } });
    if (client === undefined) throw noSuchClient();
    redirect(response, 303, `${clientPath(clientId)}?done=public`);
  });
}

function askToReplaceSecret(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'public') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Replace the secret?',
      consequences: [
        'The old secret is revoked at once. Until your server uses the new one, users cannot sign in and tokens cannot be refreshed.',
        'Existing access tokens stay valid until they expire.',
        'We show the new secret once, on the next page.',
      ],
      action: `${clientPath(client.clientId)}/secret`,
      submission: newSubmissionId(),
      button: 'Replace secret',
    });
    sendPage(response, html);
  });
}

function replaceSecret(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return ownClientForm(needs, async ({ user, frame, form, response }, client) => {
    const { text, hash } = createClientSecret();
    const { clientId } = client;
    const result = await rotateClientSecret(
      db,
      { clientId, ownerId: user.id },
      { secretHash: hash, submissionId: submissionIdOf(form) },
      clock.now(),
    );
    if (result.kind === 'not-confidential') return redirect(response, 303, clientPath(clientId));
    if (result.kind === 'already-submitted')
      return redirect(response, 303, `${clientPath(clientId)}?done=sent-before`);
    const notes = ['The previous secret of the app is revoked.'];
    const title = 'The app’s new secret';
    sendPage(response, clientSecretPage({ frame, client, secret: text, title, notes }));
  });
}

function askToDelete(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return ownClientPage(needs, async ({ frame, response }, client) => {
    sendPage(response, await deletionPage(needs, { frame, client, typed: '' }));
  });
}

function postDeletion(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, frame, form, response }, client) => {
    const typed = form.get('confirmation') ?? '';
    if (!confirms(typed, client)) {
      const errors = [{ field: 'confirmation', message: 'Enter the name of the app or its client ID.' }];
      const html = await deletionPage(needs, { frame, client, typed, errors });
      return sendPage(response, html, { status: 400 });
    }
    const removed = await deleteClient(db, { clientId: client.clientId, ownerId: user.id });
    if (!removed) throw noSuchClient();
    redirect(response, 303, `${CLIENTS_HOME}?done=deleted`);
  });
}

interface DeletionFacts {
  frame: AreaFrame;
  client: OAuthClient;
  typed: string;
  errors?: readonly FormError[];
}

async function deletionPage(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, client, typed, errors }: DeletionFacts,
) {
  const people = await countConsentingUsers(db, client.clientId);
  return confirmPage({
    ...questionAbout(frame, client),
    title: 'Delete the app?',
    consequences: [
      signOutConsequence(people),
      'Sign-in stops working on all sites that use its client ID. The ID is never used again.',
      'You cannot restore a deleted app.',
    ],
    action: `${clientPath(client.clientId)}/delete`,
    confirmation: { label: `To confirm, enter the name of the app: ${client.name}`, value: typed },
    errors,
    button: 'Delete app',
  });
}

function signOutConsequence(users: number): string {
  if (users === 0) return 'No user has allowed the app yet, so no one is signed out.';
  if (users === 1) return 'One user has allowed the app and is signed out of it at once.';
  return `${users} users have allowed the app and are signed out of it at once.`;
}

/** True if the text is the app's name or client id. The id is an alternative for names that are hard to type. */
function confirms(typed: string, { name, clientId }: OAuthClient): boolean {
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return plain(typed) === plain(name) || plain(typed) === clientId;
}

function questionAbout(frame: AreaFrame, client: OAuthClient) {
  const cancel = { href: clientPath(client.clientId), label: 'Cancel' };
  return {
    frame,
    area: 'developer' as const,
    sections: DEVELOPER_SECTIONS,
    section: CLIENTS_HOME,
    subject: client.name,
    cancel,
  };
}
