import { Router } from 'express';
import {
  deleteClient,
  type OAuthClient,
  rotateClientSecret,
  updateClient,
} from '../../../domain/oauth/clients.js';
import { countConsentingUsers } from '../../../domain/oauth/consents.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { redirect } from '../../../platform/http/redirect.js';
import { createClientSecret } from '../../../platform/secrets.js';
import type { AreaFrame } from '../../ui/area-page.js';
import { confirmPage } from '../../ui/confirm-page.js';
import type { FormError } from '../../ui/error-summary.js';
import { sendPage } from '../../ui/send-page.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import { newSubmissionId, submissionIdOf } from '../frame/submission-id.js';
import {
  CLIENTS_HOME,
  clientPath,
  clientSecretPage,
  noSuchClient,
  ownClientForm,
  ownClientPage,
} from './own-client.js';

interface ClientChangesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** What is asked twice about a client: another type, another secret, its end. */
export function clientChangeRoutes(needs: ClientChangesNeeds): Router {
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

function askToMakeConfidential(needs: ClientChangesNeeds) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'confidential') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Make the app confidential?',
      consequences: [
        'It gets a secret, which is shown once, on the next page.',
        'From then on it has to send the secret when it asks for tokens. The login widget by itself, without a server, cannot: pages that use it so stop signing people in.',
        'Access that people have now stays: tokens that were issued are good to their end.',
      ],
      action: `${clientPath(client.clientId)}/type/confidential`,
      button: 'Make it confidential',
      isDangerous: false,
    });
    sendPage(response, html);
  });
}

function makeConfidential(needs: ClientChangesNeeds) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, frame, response }, { clientId }) => {
    const { text, hash } = createClientSecret();
    const client = await updateClient(
      db,
      { clientId, ownerId: user.id },
      { type: { to: 'confidential', newSecretHash: hash } },
    );
    if (client === undefined) throw noSuchClient();
    // It was confidential before, and has kept its secret: a reload of the answer ends here.
    if (client.secretHash !== hash)
      return redirect(response, 303, `${clientPath(clientId)}?done=confidential`);
    const title = 'The app is confidential now';
    sendPage(response, clientSecretPage({ frame, client, secret: text, title, notes: [] }));
  });
}

function askToMakePublic(needs: ClientChangesNeeds) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'public') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Make the app public?',
      consequences: [
        'Its secret ends at once. A server that still sends it is refused, with invalid_client.',
        'From then on every sign-in needs PKCE, which the login widget and the Express kit use by themselves.',
        'Access that people have now stays: tokens that were issued are good to their end.',
      ],
      action: `${clientPath(client.clientId)}/type/public`,
      button: 'Make it public',
    });
    sendPage(response, html);
  });
}

function makePublic(needs: ClientChangesNeeds) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, response }, { clientId }) => {
    const client = await updateClient(db, { clientId, ownerId: user.id }, { type: { to: 'public' } });
    if (client === undefined) throw noSuchClient();
    redirect(response, 303, `${clientPath(clientId)}?done=public`);
  });
}

function askToReplaceSecret(needs: ClientChangesNeeds) {
  return ownClientPage(needs, ({ frame, response }, client) => {
    if (client.type === 'public') return redirect(response, 303, clientPath(client.clientId));
    const html = confirmPage({
      ...questionAbout(frame, client),
      title: 'Replace the secret?',
      consequences: [
        'The old secret ends at once. Until your server has the new one, nobody can sign in, and no access is renewed.',
        'Access that people have now stays: tokens that were issued are good to their end.',
        'The new secret is shown once, on the next page.',
      ],
      action: `${clientPath(client.clientId)}/secret`,
      submission: newSubmissionId(),
      button: 'Replace the secret',
    });
    sendPage(response, html);
  });
}

function replaceSecret(needs: ClientChangesNeeds) {
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
    const notes = ['The secret that the app had before opens nothing any more.'];
    const title = 'The app’s new secret';
    sendPage(response, clientSecretPage({ frame, client, secret: text, title, notes }));
  });
}

function askToDelete(needs: ClientChangesNeeds) {
  return ownClientPage(needs, async ({ frame, response }, client) => {
    sendPage(response, await deletionPage(needs, { frame, client, typed: '' }));
  });
}

function postDeletion(needs: ClientChangesNeeds) {
  const { db } = needs;
  return ownClientForm(needs, async ({ user, frame, form, response }, client) => {
    const typed = form.get('confirmation') ?? '';
    if (!confirms(typed, client)) {
      const errors = [
        { field: 'confirmation', message: 'That is neither the app’s name nor its client id.' },
      ];
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

async function deletionPage({ db }: ClientChangesNeeds, { frame, client, typed, errors }: DeletionFacts) {
  const people = await countConsentingUsers(db, client.clientId);
  return confirmPage({
    ...questionAbout(frame, client),
    title: 'Delete the app?',
    consequences: [
      whoIsSignedOut(people),
      'Sites that use its client id cannot sign anybody in any more. The id is never given out again.',
      'A deleted app cannot be brought back.',
    ],
    action: `${clientPath(client.clientId)}/delete`,
    confirmation: { label: `To confirm, type the name of the app: ${client.name}`, value: typed },
    errors,
    button: 'Delete the app',
  });
}

function whoIsSignedOut(people: number): string {
  if (people === 0) return 'Nobody has allowed it so far, so nobody is signed out.';
  if (people === 1) return 'The one person who has allowed it is signed out of it at once.';
  return `The ${people} people who have allowed it are signed out of it at once.`;
}

/** Names can hold what no keyboard has; the client id stands in for them. */
function confirms(typed: string, { name, clientId }: OAuthClient): boolean {
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return plain(typed) === plain(name) || plain(typed) === clientId;
}

function questionAbout(frame: AreaFrame, client: OAuthClient) {
  const cancel = { href: clientPath(client.clientId), label: 'Leave it as it is' };
  return {
    frame,
    area: 'developer' as const,
    sections: DEVELOPER_SECTIONS,
    section: CLIENTS_HOME,
    subject: client.name,
    cancel,
  };
}
