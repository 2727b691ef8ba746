import { randomUUID } from 'node:crypto';
import {
  PERMISSIONS,
  type Permission,
  pathsOf,
  SELECTABLE_PERMISSIONS,
  type ServiceNames,
} from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { generateApiKey } from '../../../domain/api-keys/api-key.js';
import {
  createApiKey,
  findApiKey,
  listActiveApiKeys,
  listRevokedApiKeys,
  mayProvision,
  revokeApiKey,
} from '../../../domain/api-keys/api-keys.js';
import { readPosition } from '../../../platform/database/keyset.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { redirect } from '../../../platform/http/redirect.js';
import { requestQuery } from '../../../platform/http/request-query.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import { confirmPage } from '../../ui/frame/confirm-page.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';
import { UNTRANSLATED } from '../../ui/parts/copy.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { ChoiceGroup, TextField } from '../../ui/parts/form-field.js';
import { newSubmissionId, submissionIdOf } from '../../ui/parts/submission-id.js';
import { developerSecretPage } from '../frame/developer-secret-page.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';
import {
  API_KEYS_MAX,
  type ApiKeyFields,
  apiKeyFieldsOf,
  MAY_NOT_PROVISION,
  readApiKey,
  TOO_MANY_KEYS,
} from './api-key-form.js';
import { developerApiKeysPage } from './developer-api-keys-page.js';

/** Explanations of the permissions of an API key (spec, "API-key endpoints"). */
const PERMISSION_WORDING: Readonly<Record<Permission, string>> = {
  MEMBERSHIP_READ: 'Check if a messenger account has an active membership in your communities.',
  MEMBERSHIP_WRITE: 'Create invite links for buyers of a checkout.',
  CHECKOUT_WRITE: 'Open hosted checkouts for the plans of your communities.',
  DROP_NOTIFICATION_WRITE: 'Sign people up for the next drop of your communities.',
  MEMBERSHIP_PROVISION:
    'Grant memberships for orders that were paid elsewhere. Requires MEMBERSHIP_WRITE too. Approved partners only.',
};

interface DeveloperNewApiKeyPageProps {
  frame: AreaFrame;
  /** Id of the form, so that it is processed only once. */
  submission: string;
  /** True if MEMBERSHIP_PROVISION is offered. */
  mayProvision: boolean;
  /** Raw values of the form. */
  name: string;
  permissions: readonly string[];
  errors?: readonly FormError[] | undefined;
}

/** Renders the form of a new key: `POST /developer/api-keys` with `name` and `permissions`. */
export function developerNewApiKeyPage(props: DeveloperNewApiKeyPageProps): Page {
  const { frame, errors } = props;
  const offered = props.mayProvision ? PERMISSIONS : SELECTABLE_PERMISSIONS;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/api-keys',
    title: 'Create an API key',
    parent: { href: '/developer/api-keys', label: 'API keys' },
    errors,
    children: (
      <form class="panel form" method="post" action="/developer/api-keys">
        <AccountField account={frame.account} />
        <input type="hidden" name="submission" value={props.submission} />
        <TextField
          name="name"
          label="Name"
          hint="Helps you recognise the key, for example the name of the program that uses it."
          value={props.name}
          errors={errors}
        />
        <ChoiceGroup
          type="checkbox"
          name="permissions"
          label="Permissions"
          hint="You can't change them later. Choose only what the program needs."
          errors={errors}
          choices={offered.map((permission) => ({
            value: permission,
            label: <span {...UNTRANSLATED}>{permission}</span>,
            hint: PERMISSION_WORDING[permission],
            checked: props.permissions.includes(permission),
          }))}
        />
        <div class="form-actions">
          <Button kind="primary">Create key</Button>
          <ButtonLink kind="quiet" href="/developer/api-keys">
            Cancel
          </ButtonLink>
        </div>
      </form>
    ),
  });
}

const HOME = '/developer/api-keys';
const NEW = '/developer/api-keys/new';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'Key revoked. Requests with it now fail.'],
  [
    'sent-before',
    'This key was already created and shown once. If you did not copy it, revoke the key and create another.',
  ],
]);

/** Maximum number of revoked keys in the list. */
const SHOWN_REVOKED = 20;

/** Routes that list, create and revoke API keys (spec, "API keys", 2 and 3). Only the creation shows the key. */
export function apiKeyRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(HOME).get(listKeys(needs)).post(createKey(needs)).all(methodNotAllowed('GET, POST'));
  router.route(NEW).get(showNewKey(needs)).all(methodNotAllowed('GET'));
  router
    .route('/developer/api-keys/:id/revoke')
    .get(askToRevoke(needs))
    .post(revokeKey(needs))
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function listKeys(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db } = needs;
  return areaPage(needs, async ({ user, frame, request, response }) => {
    const after = readPosition(requestQuery(request).get('after'));
    const html = developerApiKeysPage({
      frame,
      keys: await listActiveApiKeys(db, user.id, after),
      isFirst: after === undefined,
      revoked: await listRevokedApiKeys(db, user.id, SHOWN_REVOKED),
      notice: NOTICES.get(requestQuery(request).get('done') ?? ''),
    });
    sendPage(response, html);
  });
}

interface KeyForm extends ApiKeyFields {
  submission: string;
  mayProvision: boolean;
  errors?: readonly FormError[];
}

function newKeyPage(frame: AreaFrame, form: KeyForm): Page {
  return developerNewApiKeyPage({ frame, ...form });
}

function showNewKey(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db } = needs;
  return areaPage(needs, async ({ user, frame, response }) => {
    const isPartner = await mayProvision(db, user.id);
    const html = newKeyPage(frame, {
      name: '',
      permissions: [],
      submission: newSubmissionId(),
      mayProvision: isPartner,
    });
    sendPage(response, html);
  });
}

function createKey(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db, clock, baseUrl, serviceNames } = needs;
  return areaForm(needs, NEW, async ({ user, frame, form, response }) => {
    const fields = apiKeyFieldsOf(form);
    const submission = submissionIdOf(form);
    const isPartner = await mayProvision(db, user.id);
    const sendErrors = (errors: readonly FormError[]) =>
      sendPage(response, newKeyPage(frame, { ...fields, submission, mayProvision: isPartner, errors }), {
        status: 400,
      });

    const read = readApiKey(fields, isPartner);
    if (read.kind === 'invalid') return sendErrors(read.errors);
    const { name, permissions } = read.value;
    const { apiKeyPrefix: prefix } = serviceNames;
    const { text, hash } = generateApiKey(prefix);
    const result = await createApiKey(
      db,
      { id: randomUUID(), ownerId: user.id, name, prefix, ending: text.slice(-4), permissions, hash },
      { submissionId: submission, limit: API_KEYS_MAX },
      clock.now(),
    );
    if (result.kind === 'may-not-provision') return sendErrors([MAY_NOT_PROVISION]);
    if (result.kind === 'too-many') return sendErrors([TOO_MANY_KEYS]);
    if (result.kind === 'already-submitted') return redirect(response, 303, `${HOME}?done=sent-before`);
    const html = developerSecretPage({
      frame,
      section: HOME,
      title: 'Your new API key',
      subject: name,
      secretLabel: 'API key',
      secret: text,
      lead: "Copy the key now and store it as a secret. You won't be able to see it again, because the service stores only a hash.",
      notes: [
        'It acts for you in every community where you are an owner or admin.',
        'Use it on a server only. In a browser, anyone could read it.',
      ],
      snippet: {
        label: 'Example request',
        text: exampleRequest(baseUrl, serviceNames),
        language: 'shell',
      },
      done: { href: HOME, label: 'Continue to API keys' },
    });
    sendPage(response, html);
  });
}

/** Returns a request to paste into a terminal. */
function exampleRequest(baseUrl: string, names: ServiceNames): string {
  const path = pathsOf(names)
    .checkMessenger.replace('{communityId}', 'COMMUNITY_ID')
    .replace(/\{\w+\}/, `${names.messenger.toUpperCase()}_USER_ID`);
  return `curl -H "Authorization: Bearer $API_KEY" \\\n  ${baseUrl}${path}`;
}

function askToRevoke(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db } = needs;
  return areaPage<{ id: string }>(needs, async ({ user, frame, request, response }) => {
    const key = await findApiKey(db, { id: request.params.id, ownerId: user.id });
    if (key === undefined) throw notFound('There is no such key.');
    if (key.revokedAt !== null) return redirect(response, 303, HOME);
    const html = confirmPage({
      frame,
      area: 'developer',
      sections: DEVELOPER_SECTIONS,
      section: HOME,
      title: 'Revoke this API key?',
      subject: `${key.name} (…${key.ending})`,
      consequences: [
        'Every request with this key fails at once, with 401.',
        'You cannot restore a revoked key. You can create a new one at any time.',
      ],
      action: `/developer/api-keys/${key.id}/revoke`,
      button: 'Revoke key',
      cancel: { href: HOME, label: 'Keep key' },
    });
    sendPage(response, html);
  });
}

function revokeKey(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db, clock } = needs;
  return areaForm<{ id: string }>(needs, HOME, async ({ user, request, response }) => {
    const revoked = await revokeApiKey(db, { id: request.params.id, ownerId: user.id }, clock.now());
    if (revoked) return redirect(response, 303, `${HOME}?done=revoked`);
    throw notFound('There is no such key.');
  });
}
