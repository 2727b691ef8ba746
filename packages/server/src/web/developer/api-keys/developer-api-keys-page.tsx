import type { Permission } from '@latchkey/contract/constants';
import { Fragment } from 'preact';
import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { EmptyState } from '../../ui/parts/empty-state.js';
import { Pager } from '../../ui/parts/pager.js';
import { Panel } from '../../ui/parts/panel.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** API key in its owner's list. Times are milliseconds since the epoch. */
export interface ListedApiKey {
  id: string;
  name: string;
  prefix: string;
  /** Last four characters of the key. */
  ending: string;
  permissions: readonly Permission[];
  createdAt: number;
  /** Null for an active key. */
  revokedAt: number | null;
}

export interface DeveloperApiKeysPageProps {
  frame: AreaFrame;
  /** Active keys, newest first. */
  keys: ListPage<ListedApiKey>;
  isFirst: boolean;
  /** Revoked keys, newest first. */
  revoked: readonly ListedApiKey[];
  notice?: string | undefined;
}

const NAME: Column<ListedApiKey> = {
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
};

const PERMISSIONS: Column<ListedApiKey> = {
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
};

const CREATED: Column<ListedApiKey> = {
  heading: 'Created',
  cell: ({ createdAt }) => <Time at={createdAt} precision="date" />,
};

const REVOKE: Column<ListedApiKey> = {
  heading: 'Actions',
  isHeadingHidden: true,
  isNumeric: true,
  cell: ({ id, name }) => (
    <ButtonLink kind="danger" isSmall href={`/developer/api-keys/${id}/revoke`}>
      Revoke<span class="visually-hidden"> the key {name}</span>
    </ButtonLink>
  ),
};

const REVOKED: Column<ListedApiKey> = {
  heading: 'Revoked',
  cell: ({ revokedAt }) => revokedAt !== null && <Time at={revokedAt} precision="date" />,
};

/** Renders the list of the user's API keys. */
export function developerApiKeysPage(props: DeveloperApiKeysPageProps): Page {
  const { frame, keys, revoked } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/api-keys',
    title: 'API keys',
    lead: 'With an API key, your server acts for you in every community where you are an owner or admin. Never put a key into a browser or a mobile app.',
    notice: props.notice,
    children: (
      <>
        <Panel
          id="keys"
          heading="Active keys"
          actions={
            keys.rows.length > 0 && (
              <ButtonLink kind="primary" isSmall href="/developer/api-keys/new">
                Create key
              </ButtonLink>
            )
          }
        >
          <Table
            label="Active keys"
            columns={[NAME, PERMISSIONS, CREATED, REVOKE]}
            rows={keys.rows}
            rowKey={({ id }) => id}
            empty={
              <EmptyState
                title="You have no active API keys."
                text="Your server needs a key for checkouts, invite links, membership checks and drop signups."
                action={{ href: '/developer/api-keys/new', label: 'Create key' }}
              />
            }
          />
          <Pager path="/developer/api-keys" next={keys.next} isFirst={props.isFirst} first="newest" />
        </Panel>
        {revoked.length > 0 && (
          <Panel id="revoked" heading="Recently revoked">
            <Table
              label="Recently revoked keys"
              columns={[NAME, PERMISSIONS, CREATED, REVOKED]}
              rows={revoked}
              rowKey={({ id }) => id}
            />
          </Panel>
        )}
      </>
    ),
  });
}
