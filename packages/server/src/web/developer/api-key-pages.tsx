import { PERMISSIONS, type Permission, SELECTABLE_PERMISSIONS } from '@latchkey/contract/constants';
import { Fragment } from 'preact';
import type { ApiKey } from '../../domain/api-keys/api-keys.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { ChoiceGroup, TextField } from '../ui/parts/form-field.js';
import { ButtonLink, type FormError, PostForm } from '../ui/parts/form-parts.js';
import { ListPanel, type ShownList } from '../ui/parts/list-panel.js';
import { Panel } from '../ui/parts/panel.js';
import { type Column, Table } from '../ui/parts/table.js';
import { Time, UNTRANSLATED } from '../ui/parts/values.js';
import { API_KEYS_HOME, inDeveloper } from './developer-area.js';

const FACTS: readonly Column<ApiKey>[] = [
  {
    heading: 'Name',
    isRowHeading: true,
    cell: ({ name, prefix, ending }) => (
      <>
        <bdi>{name}</bdi>
        <p class="muted">
          <code dir="ltr">
            {prefix}…{ending}
          </code>
        </p>
      </>
    ),
  },
  {
    heading: 'Permissions',
    cell: ({ permissions }) => (
      <ul class="plain-list">
        {permissions.map((permission) => (
          <li key={permission}>
            <code>
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
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} precision="date" /> },
];

const REVOKE: Column<ApiKey> = {
  heading: 'Actions',
  isHeadingHidden: true,
  isNumeric: true,
  cell: ({ id, name }) => (
    <ButtonLink kind="danger" isSmall href={`${API_KEYS_HOME}/${id}/revoke`}>
      Revoke<span class="visually-hidden"> the key {name}</span>
    </ButtonLink>
  ),
};

const REVOKED: Column<ApiKey> = {
  heading: 'Revoked',
  cell: ({ revokedAt }) => revokedAt !== null && <Time at={revokedAt} precision="date" />,
};

/** Renders the list of the user's API keys, newest first. */
export function developerApiKeysPage(props: {
  frame: AreaFrame;
  keys: ShownList<ApiKey>;
  revoked: readonly ApiKey[];
  notice?: string | undefined;
}): Page {
  const { frame, keys, revoked, notice } = props;
  return renderAreaPage({
    ...inDeveloper(frame, API_KEYS_HOME),
    title: 'API keys',
    lead: 'With an API key, your server acts for you in every community where you are an owner or admin. Never put a key into a browser or a mobile app.',
    notice,
    children: (
      <>
        <ListPanel
          id="keys"
          heading="Active keys"
          actions={
            keys.rows.length > 0 && (
              <ButtonLink kind="primary" isSmall href={`${API_KEYS_HOME}/new`}>
                Create key
              </ButtonLink>
            )
          }
          label="Active keys"
          columns={[...FACTS, REVOKE]}
          list={keys}
          empty={{
            title: 'You have no active API keys.',
            text: 'Your server needs a key for checkouts, invite links, membership checks and drop signups.',
            action: { href: `${API_KEYS_HOME}/new`, label: 'Create key' },
          }}
          noMore="There are no more keys."
          path={API_KEYS_HOME}
          first="newest"
        />
        {revoked.length > 0 && (
          <Panel id="revoked" heading="Recently revoked">
            <Table label="Recently revoked keys" columns={[...FACTS, REVOKED]} rows={revoked} />
          </Panel>
        )}
      </>
    ),
  });
}

/** Explanations of the permissions of an API key (spec, "API-key endpoints"). */
const PERMISSION_WORDING: Readonly<Record<Permission, string>> = {
  MEMBERSHIP_READ: 'Check if a messenger account has an active membership in your communities.',
  MEMBERSHIP_WRITE: 'Create invite links for buyers of a checkout.',
  CHECKOUT_WRITE: 'Open hosted checkouts for the plans of your communities.',
  DROP_NOTIFICATION_WRITE: 'Sign people up for the next drop of your communities.',
  MEMBERSHIP_PROVISION:
    'Grant memberships for orders that were paid elsewhere. Requires MEMBERSHIP_WRITE too. Approved partners only.',
};

/** Renders the form of a new key: `POST /developer/api-keys` with `name` and `permissions`. */
export function developerNewApiKeyPage(props: {
  frame: AreaFrame;
  /** Id of the form, so that it is processed only once. */
  submission: string;
  /** True if MEMBERSHIP_PROVISION is offered. */
  mayProvision: boolean;
  /** Raw values of the form. */
  fields: { name: string; permissions: readonly string[] };
  errors?: readonly FormError[];
}): Page {
  const { frame, submission, fields, errors } = props;
  const offered = props.mayProvision ? PERMISSIONS : SELECTABLE_PERMISSIONS;
  return renderAreaPage({
    ...inDeveloper(frame, API_KEYS_HOME),
    title: 'Create an API key',
    parent: { href: API_KEYS_HOME, label: 'API keys' },
    errors,
    children: (
      <PostForm
        isPanel
        action={API_KEYS_HOME}
        account={frame.account}
        submission={submission}
        submit="Create key"
        cancelHref={API_KEYS_HOME}
      >
        <TextField
          name="name"
          label="Name"
          hint="Helps you recognise the key, for example the name of the program that uses it."
          value={fields.name}
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
            checked: fields.permissions.includes(permission),
          }))}
        />
      </PostForm>
    ),
  });
}
