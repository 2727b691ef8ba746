import { randomUUID } from 'node:crypto';
import { pathsOf } from '@latchkey/contract/constants';
import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { apiKeySchema, generateApiKey } from '../../domain/api-keys/api-key.js';
import {
  createApiKey,
  findApiKey,
  listActiveApiKeys,
  listRevokedApiKeys,
  mayProvision,
  revokeApiKey,
} from '../../domain/api-keys/api-keys.js';
import { notFound } from '../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaRoutes } from '../sign-in/area-route.js';
import { confirmPage } from '../ui/frame/confirm-page.js';
import { sendPage } from '../ui/frame/send-page.js';
import { parseForm } from '../ui/parts/form.js';
import { type FormError, newSubmissionId, submissionIdOf } from '../ui/parts/form-parts.js';
import { shownList } from '../ui/parts/list-panel.js';
import { developerApiKeysPage, developerNewApiKeyPage } from './api-key-pages.js';
import { API_KEYS_HOME, developerSecretPage, inDeveloper } from './developer-area.js';

const NEW = `${API_KEYS_HOME}/new`;

/** Maximum number of active keys per user. */
const API_KEYS_MAX = 50;

/** Maximum number of revoked keys in the list. */
const SHOWN_REVOKED = 20;

const NOTICES: ReadonlyMap<string | null, string> = new Map([
  ['revoked', 'Key revoked. Requests with it now fail.'],
  [
    'sent-before',
    'This key was already created and shown once. If you did not copy it, revoke the key and create another.',
  ],
]);

/** Error for a user without a provisioning grant. */
const MAY_NOT_PROVISION: FormError = {
  field: 'permissions',
  message: 'MEMBERSHIP_PROVISION is for approved partners only. Ask the operator of this service for access.',
};

const TOO_MANY_KEYS: FormError = {
  field: 'name',
  message: `You have ${API_KEYS_MAX} active keys, which is the maximum. Revoke a key before you create another.`,
};

/** Routes that list, create and revoke API keys (spec, "API keys", 2 and 3). Only the creation shows the key. */
export function apiKeyRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>): Router {
  const { db, clock, baseUrl, serviceNames } = needs;
  return areaRoutes(
    needs,
    { home: API_KEYS_HOME },
    {
      [API_KEYS_HOME]: { home: NEW, get: list, post: create },
      [NEW]: { get: showNew },
      [`${API_KEYS_HOME}/:id/revoke`]: { get: askToRevoke, post: revoke },
    },
  );

  async function list({ user, frame, query }: AreaRequest) {
    return developerApiKeysPage({
      frame,
      keys: await shownList(query, (after) => listActiveApiKeys(db, user.id, after)),
      revoked: await listRevokedApiKeys(db, user.id, SHOWN_REVOKED),
      notice: NOTICES.get(query.get('done')),
    });
  }

  async function showNew({ user, frame }: AreaRequest) {
    return developerNewApiKeyPage({
      frame,
      submission: newSubmissionId(),
      mayProvision: await mayProvision(db, user.id),
      fields: { name: '', permissions: [] },
    });
  }

  async function create({ user, frame, form, response }: AreaForm) {
    const fields = { name: form.get('name') ?? '', permissions: form.getAll('permissions') };
    const submission = submissionIdOf(form);
    const isPartner = await mayProvision(db, user.id);
    const withErrors = (...errors: FormError[]) =>
      developerNewApiKeyPage({ frame, submission, mayProvision: isPartner, fields, errors });

    const read = parseForm(apiKeySchema, fields);
    const refused =
      isPartner || !fields.permissions.includes('MEMBERSHIP_PROVISION') ? [] : [MAY_NOT_PROVISION];
    if (read.kind === 'invalid') return withErrors(...read.errors, ...refused);
    if (refused.length > 0) return withErrors(...refused);
    const { name, permissions } = read.value;
    const { apiKeyPrefix: prefix } = serviceNames;
    const { text, hash } = generateApiKey(prefix);
    const result = await createApiKey(
      db,
      { id: randomUUID(), ownerId: user.id, name, prefix, ending: text.slice(-4), permissions, hash },
      { submissionId: submission, limit: API_KEYS_MAX },
      clock.now(),
    );
    if (result.kind === 'may-not-provision') return withErrors(MAY_NOT_PROVISION);
    if (result.kind === 'too-many') return withErrors(TOO_MANY_KEYS);
    if (result.kind === 'already-submitted') return `${API_KEYS_HOME}?done=sent-before`;
    const page = developerSecretPage({
      frame,
      section: API_KEYS_HOME,
      title: 'Your new API key',
      subject: name,
      secretLabel: 'API key',
      secret: text,
      lead: "Copy the key now and store it as a secret. You won't be able to see it again, because the service stores only a hash.",
      notes: [
        'It acts for you in every community where you are an owner or admin.',
        'Use it on a server only. In a browser, anyone could read it.',
      ],
      snippet: { label: 'Example request', text: exampleRequest(), language: 'shell' },
      done: { href: API_KEYS_HOME, label: 'Continue to API keys' },
    });
    return sendPage(response, page);
  }

  async function askToRevoke({ user, frame, request }: AreaRequest) {
    const key = await findApiKey(db, { id: request.params.id ?? '', ownerId: user.id });
    if (key === undefined) throw notFound('There is no such key.');
    if (key.revokedAt !== null) return API_KEYS_HOME;
    return confirmPage({
      ...inDeveloper(frame, API_KEYS_HOME),
      title: 'Revoke this API key?',
      subject: `${key.name} (…${key.ending})`,
      consequences: [
        'Every request with this key fails at once, with 401.',
        'You cannot restore a revoked key. You can create a new one at any time.',
      ],
      action: `${API_KEYS_HOME}/${key.id}/revoke`,
      button: 'Revoke key',
      cancel: { href: API_KEYS_HOME, label: 'Keep key' },
    });
  }

  async function revoke({ user, request }: AreaForm) {
    const key = { id: request.params.id ?? '', ownerId: user.id };
    if (await revokeApiKey(db, key, clock.now())) return `${API_KEYS_HOME}?done=revoked`;
    throw notFound('There is no such key.');
  }

  /** Returns a request to paste into a terminal. */
  function exampleRequest(): string {
    const path = pathsOf(serviceNames)
      .checkMessenger.replace('{communityId}', 'COMMUNITY_ID')
      .replace(/\{\w+\}/, `${serviceNames.messenger.toUpperCase()}_USER_ID`);
    return `curl -H "Authorization: Bearer $API_KEY" \\\n  ${baseUrl}${path}`;
  }
}
