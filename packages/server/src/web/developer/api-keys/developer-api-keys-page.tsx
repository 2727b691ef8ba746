import type { Permission } from '@latchkey/contract/constants';
import type { ListPage } from '../../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { Pager } from '../../ui/parts/pager.js';
import { PlainDate } from '../../ui/parts/plain-time.js';
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

/** Props of {@link developerApiKeysPage}. */
export interface DeveloperApiKeysPageProps {
  frame: AreaFrame;
  /** Active keys, newest first. */
  keys: ListPage<ListedApiKey>;
  /** True for the first page of the list. */
  isFirst: boolean;
  /** Revoked keys, newest first. */
  revoked: readonly ListedApiKey[];
  notice?: string | undefined;
}

/** Renders the list of the user's API keys. */
export function developerApiKeysPage(props: DeveloperApiKeysPageProps): Page {
  const { frame, keys, revoked } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/api-keys',
    title: 'API keys',
    lead: 'With an API key, your server acts for you in every community where you are OWNER or ADMIN. Never put a key into a browser or a mobile app.',
    notice: props.notice,
    children: (
      <>
        <section class="panel" aria-labelledby="keys">
          <div class="panel-heading">
            <h2 id="keys">Active keys</h2>
            <a class="button primary small" href="/developer/api-keys/new">
              Create key
            </a>
          </div>
          {keys.rows.length === 0 ? (
            <p class="empty">You have no active API keys.</p>
          ) : (
            <ul class="rows">
              {keys.rows.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
          )}
          <Pager path="/developer/api-keys" next={keys.next} isFirst={props.isFirst} first="newest" />
        </section>
        {revoked.length > 0 && (
          <section class="panel" aria-labelledby="revoked">
            <h2 id="revoked">Recently revoked</h2>
            <ul class="rows">
              {revoked.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </ul>
          </section>
        )}
      </>
    ),
  });
}

function KeyRow(props: { apiKey: ListedApiKey }) {
  const { id, name, prefix, ending, permissions, createdAt, revokedAt } = props.apiKey;
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <bdi>{name}</bdi>
        </p>
        <p class="muted">
          <code>
            {prefix}…{ending}
          </code>
          , created on <PlainDate at={createdAt} />
          {revokedAt !== null && (
            <>
              , revoked on <PlainDate at={revokedAt} />
            </>
          )}
        </p>
        <ul class="tags" aria-label="Permissions">
          {permissions.map((permission) => (
            <li class="tag quiet" key={permission}>
              {permission}
            </li>
          ))}
        </ul>
      </div>
      {revokedAt === null && (
        <a class="button secondary small" href={`/developer/api-keys/${id}/revoke`}>
          Revoke<span class="visually-hidden"> the key {name}</span>
        </a>
      )}
    </li>
  );
}
