import { randomUUID } from 'node:crypto';
import { PERMISSIONS, pathsOf, SELECTABLE_PERMISSIONS } from '@latchkey/contract/constants';
import type { Router } from 'express';
import { Fragment } from 'preact';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import { type AreaForm, type AreaRequest, areaRoutes, noticesOf } from '../../web/kit/areas/area-routes.js';
import {
  API_KEYS_HOME,
  developerFormPage,
  developerSecretPage,
  inDeveloper,
} from '../../web/kit/areas/developer-area.js';
import { confirmPage, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { defineForm, type FormValues } from '../../web/kit/parts/define-form.js';
import {
  ButtonLink,
  type FormError,
  newSubmissionId,
  submissionIdOf,
} from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { controlsOf } from '../../web/kit/parts/resource-form.js';
import {
  actionsColumn,
  type Column,
  ListPanel,
  type ShownList,
  shownList,
  Table,
} from '../../web/kit/parts/table.js';
import { Time, UNTRANSLATED } from '../../web/kit/parts/values.js';
import { defineResource } from '../fields/define-resource.js';
import { generateApiKey, keyRecords } from './api-key.resource.js';
import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listActiveApiKeys,
  listRevokedApiKeys,
  mayProvision,
  revokeApiKey,
} from './api-keys.js';

const FACTS: readonly Column<ApiKey>[] = [
  {
    heading: phrase('Name'),
    cell: ({ name, prefix, ending }) => (
      <>
        <bdi>{name}</bdi>
        <p class="muted">
          <code dir="ltr" {...UNTRANSLATED}>
            {prefix}…{ending}
          </code>
        </p>
      </>
    ),
  },
  {
    heading: phrase('Permissions'),
    cell: ({ permissions }) => (
      <ul class="plain-list">
        {permissions.map((permission) => (
          <li key={permission}>
            <code {...UNTRANSLATED}>
              {permission.split(/(?<=_)/).map((word) => (
                <Fragment key={word}>
                  {word}
                  <wbr />
                </Fragment>
              ))}
            </code>
          </li>
        ))}
      </ul>
    ),
  },
  { heading: phrase('Created'), cell: ({ createdAt }) => <Time at={createdAt} precision="date" /> },
];

const REVOKE = actionsColumn<ApiKey>(({ id, name }) => (
  <ButtonLink kind="danger" isSmall href={`${API_KEYS_HOME}/${id}/revoke`}>
    {t('Revoke')}
    <span class="visually-hidden"> {t('the key {name}', { name })}</span>
  </ButtonLink>
));

const REVOKED: Column<ApiKey> = {
  heading: phrase('Revoked'),
  cell: ({ revokedAt }) => revokedAt !== null && <Time at={revokedAt} precision="date" />,
};

export function developerApiKeysPage(
  props: PageProps & {
    keys: ShownList<ApiKey>;
    revoked: readonly ApiKey[];
  },
): Page {
  const { keys, revoked } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(API_KEYS_HOME),
    title: t('API keys'),
    lead: t(
      'With an API key, your server acts for you in every community where you are an owner or admin. Never put a key into a browser or a mobile app.',
    ),
    children: (
      <>
        <ListPanel
          id="keys"
          heading={t('Active keys')}
          add={{ href: NEW, label: t('Create key') }}
          columns={[...FACTS, REVOKE]}
          list={keys}
          empty={{
            title: t('You have no active API keys.'),
            text: t(
              'Your server needs a key for checkouts, invite links, membership checks and drop signups.',
            ),
          }}
          noMore={t('There are no more keys.')}
          path={API_KEYS_HOME}
          first={phrase('newest')}
        />
        {revoked.length > 0 && (
          <Panel id="revoked" heading={t('Recently revoked')}>
            <Table label={t('Recently revoked keys')} columns={[...FACTS, REVOKED]} rows={revoked} />
          </Panel>
        )}
      </>
    ),
  });
}

function keyForm(mayProvision: boolean) {
  const { name, permissions } = keyRecords.stated;
  const offered = mayProvision ? PERMISSIONS : SELECTABLE_PERMISSIONS;
  const choiceHints = Object.fromEntries(offered.map((one) => [one, permissions.choiceHints[one]]));
  return defineForm(
    controlsOf(defineResource({ fields: { name, permissions: { ...permissions, choiceHints } } })),
  );
}

export function developerNewApiKeyPage(
  props: PageProps & {
    submission: string;
    mayProvision: boolean;
    values: FormValues<ReturnType<typeof keyForm>>;
  },
): Page {
  return developerFormPage(API_KEYS_HOME, {
    ...props,
    title: t('Create an API key'),
    back: { href: API_KEYS_HOME, label: t('API keys') },
    submit: t('Create key'),
    children: keyForm(props.mayProvision).fields(props),
  });
}

const NEW = `${API_KEYS_HOME}/new`;

const API_KEYS_MAX = 50;

const KEY_SCHEMA = keyRecords.create.body.omit({ ownerId: true });

const SHOWN_REVOKED = 20;

const noticeOf = noticesOf({
  revoked: phrase('Key revoked. Requests with it now fail.'),
  'sent-before': phrase(
    'This key was already created and shown once. If you did not copy it, revoke the key and create another.',
  ),
});

function mayNotProvision(): FormError {
  const message = t(
    'MEMBERSHIP_PROVISION is for approved partners only. Ask the operator of this service for access.',
  );
  return { field: 'permissions', message };
}

function tooManyKeys(): FormError {
  const message = t(
    'You have {max} active keys, which is the maximum. Revoke a key before you create another.',
    { max: API_KEYS_MAX },
  );
  return { field: 'name', message };
}

/** Routes for API keys (spec, "API keys", 2 and 3). A key itself is shown only once, on creation. */
export function apiKeyRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>): Router {
  const { db, clock, baseUrl, serviceNames } = needs;
  return areaRoutes(needs, API_KEYS_HOME, {
    [API_KEYS_HOME]: { home: NEW, get: list, post: create },
    [NEW]: { get: showNew },
    [`${API_KEYS_HOME}/:id/revoke`]: { get: askToRevoke, post: revoke },
  });

  async function list({ user, frame, query }: AreaRequest) {
    return developerApiKeysPage({
      frame,
      keys: await shownList(query, (after) => listActiveApiKeys(db, user.id, after)),
      revoked: await listRevokedApiKeys(db, user.id, SHOWN_REVOKED),
      notice: noticeOf(query),
    });
  }

  async function showNew({ user, frame }: AreaRequest) {
    return developerNewApiKeyPage({
      frame,
      submission: newSubmissionId(),
      mayProvision: await mayProvision(db, user.id),
      values: keyForm(false).empty,
    });
  }

  async function create({ user, frame, form, response }: AreaForm) {
    const values = keyForm(true).read(form);
    const submission = submissionIdOf(form);
    const isPartner = await mayProvision(db, user.id);
    const withErrors = (...errors: FormError[]) =>
      developerNewApiKeyPage({ frame, submission, mayProvision: isPartner, values, errors });

    const read = keyForm(true).parse(KEY_SCHEMA, form);
    const refused =
      isPartner || !values.permissions.includes('MEMBERSHIP_PROVISION') ? [] : [mayNotProvision()];
    if (read.kind === 'invalid') return withErrors(...read.errors, ...refused);
    if (refused.length > 0) return withErrors(...refused);
    const { name, permissions } = read.value;
    const { apiKeyPrefix: prefix } = serviceNames;
    const { text: secret, hash } = generateApiKey(prefix);
    const result = await createApiKey(
      db,
      { id: randomUUID(), ownerId: user.id, name, prefix, ending: secret.slice(-4), permissions, hash },
      { submissionId: submission, limit: API_KEYS_MAX },
      clock.now(),
    );
    if (result.kind === 'may-not-provision') return withErrors(mayNotProvision());
    if (result.kind === 'too-many') return withErrors(tooManyKeys());
    if (result.kind === 'already-submitted') return `${API_KEYS_HOME}?done=sent-before`;
    const page = developerSecretPage({
      frame,
      section: API_KEYS_HOME,
      title: t('Your new API key'),
      subject: name,
      secretLabel: t('API key'),
      secret,
      lead: t(
        "Copy the key now and store it as a secret. You won't be able to see it again, because the service stores only a hash.",
      ),
      notes: [
        t('It acts for you in every community where you are an owner or admin.'),
        t('Use it on a server only. In a browser, anyone could read it.'),
      ],
      snippet: { label: t('Example request'), text: exampleRequest(), language: 'shell' },
      done: { href: API_KEYS_HOME, label: t('Continue to API keys') },
    });
    return sendPage(response, page);
  }

  async function askToRevoke({ user, frame, request }: AreaRequest) {
    const key = await findApiKey(db, { id: request.params.id ?? '', ownerId: user.id });
    if (key === undefined) throw notFound('There is no such key.');
    if (key.revokedAt !== null) return API_KEYS_HOME;
    return confirmPage({
      frame,
      ...inDeveloper(API_KEYS_HOME),
      title: t('Revoke this API key?'),
      subject: `${key.name} (…${key.ending})`,
      consequences: [
        t('Every request with this key fails at once, with 401.'),
        t('You cannot restore a revoked key. You can create a new one at any time.'),
      ],
      action: `${API_KEYS_HOME}/${key.id}/revoke`,
      button: t('Revoke key'),
      cancel: { href: API_KEYS_HOME, label: t('Keep key') },
    });
  }

  async function revoke({ user, request }: AreaForm) {
    const key = { id: request.params.id ?? '', ownerId: user.id };
    if (await revokeApiKey(db, key, clock.now())) return `${API_KEYS_HOME}?done=revoked`;
    throw notFound('There is no such key.');
  }

  function exampleRequest(): string {
    const path = pathsOf(serviceNames)
      .checkMessenger.replace('{communityId}', 'COMMUNITY_ID')
      .replace(/\{\w+\}/, `${serviceNames.messenger.toUpperCase()}_USER_ID`);
    return `curl -H "Authorization: Bearer $API_KEY" \\\n  ${baseUrl}${path}`;
  }
}
