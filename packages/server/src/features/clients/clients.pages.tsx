import { phrase, t } from '../../platform/language/language.js';
import { noticesOf } from '../../web/kit/areas/area-routes.js';
import { CLIENTS_HOME, developerSecretPage, inDeveloper } from '../../web/kit/areas/developer-area.js';
import { type AreaFrame, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ButtonLink } from '../../web/kit/parts/form-parts.js';
import { AlertIcon } from '../../web/kit/parts/icons.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { type Column, ListPanel, type ShownList } from '../../web/kit/parts/table.js';
import {
  CodeBlock,
  CopyText,
  Count,
  Facts,
  NameLink,
  Pill,
  UNTRANSLATED,
} from '../../web/kit/parts/values.js';
import type { ClientSnippet } from './client-snippet.js';
import type { OAuthClient } from './clients.js';

/** A client in its owner's list. `hasObstacle`: a problem prevents sign-in. */
type ListedClient = OAuthClient & { hasObstacle: boolean };

export const clientNotice = noticesOf({
  registered: phrase('App registered.'),
  saved: phrase('Settings saved. They apply from now on.'),
  public: phrase('The app is now public. Its secret is revoked.'),
  confidential: phrase('The app was already confidential. Its secret has not changed.'),
  deleted: phrase('App deleted. All users are signed out of it.'),
  'sent-before': phrase(
    'This form was already processed, and its secret was shown once. If you did not copy it, replace the secret on the app’s page.',
  ),
});

export function clientPath(clientId: string): string {
  return `${CLIENTS_HOME}/${clientId}`;
}

const COLUMNS: readonly Column<ListedClient>[] = [
  {
    heading: phrase('Name'),
    cell: ({ clientId, name, logoUrl }) => (
      <span class="named">
        <ClientLogo name={name} logoUrl={logoUrl} size="small" />
        <NameLink href={clientPath(clientId)} name={name} />
      </span>
    ),
  },
  {
    heading: phrase('Client ID'),
    cell: ({ clientId }) => <CopyText label={t('client ID')} value={clientId} />,
  },
  { heading: phrase('Type'), cell: ({ type }) => t(type === 'public' ? 'Public' : 'Confidential') },
  {
    heading: phrase('Status'),
    cell: ({ hasObstacle }) =>
      hasObstacle ? <Pill tone="warn">{t('Not ready')}</Pill> : <Pill tone="good">{t('Ready')}</Pill>,
  },
];

export function developerClientsPage(props: PageProps & { clients: ShownList<ListedClient> }): Page {
  const { clients } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(CLIENTS_HOME),
    title: t('Apps'),
    lead: t(
      'An app (an OAuth client) signs your visitors in. It can read their memberships or products if they allow it.',
    ),
    children: (
      <ListPanel
        id="clients"
        heading={t('Your apps')}
        add={{ href: `${CLIENTS_HOME}/new`, label: t('Register app') }}
        columns={COLUMNS}
        list={clients}
        empty={{
          title: t('You have no apps.'),
          text: t('Register an app for each site that signs visitors in.'),
        }}
        noMore={t('There are no more apps.')}
        path={CLIENTS_HOME}
        first={phrase('first apps')}
      />
    ),
  });
}

export function developerClientPage(
  props: PageProps & {
    client: OAuthClient;
    people: number;
    obstacles: readonly string[];
    snippets: readonly ClientSnippet[];
  },
): Page {
  const { client, people, obstacles, snippets } = props;
  const path = clientPath(client.clientId);
  return renderAreaPage({
    ...props,
    ...inDeveloper(CLIENTS_HOME),
    title: t('The app {name}', { name: client.name }),
    heading: (
      <span class="client-heading">
        <ClientLogo name={client.name} logoUrl={client.logoUrl} size="small" />
        <bdi>{client.name}</bdi>
      </span>
    ),
    lead: client.description === null ? undefined : <bdi>{client.description}</bdi>,
    parent: 'section',
    children: (
      <>
        {obstacles.map((obstacle) => (
          <div class="warning" key={obstacle}>
            <AlertIcon />
            <p>{obstacle}</p>
          </div>
        ))}
        <Panel
          id="settings"
          heading={t('Settings')}
          actions={<ButtonLink isSmall href={`${path}/edit`} label={t('Edit')} />}
        >
          <Settings client={client} people={people} />
        </Panel>
        {snippets.length > 0 && (
          <Panel id="snippets" heading={t('Add it to your site')}>
            <div class="stack">
              {snippets.map((snippet) => (
                <CodeBlock key={snippet.label} {...snippet} />
              ))}
            </div>
          </Panel>
        )}
        <TypeAndSecret type={client.type} path={path} />
        <Panel id="deletion" heading={t('Delete')} tone="danger">
          <p>{t('Signs all users out of the app and removes its client ID for good.')}</p>
          <div class="panel-actions">
            <ButtonLink kind="danger" isSmall href={`${path}/delete`} label={t('Delete app')} />
          </div>
        </Panel>
      </>
    ),
  });
}

function Settings({ client, people }: { client: OAuthClient; people: number }) {
  const users = t('{people} users', { people: <Count value={people} />, count: people });
  const facts = {
    [t('Client ID')]: <CopyText label={t('client ID')} value={client.clientId} />,
    [t('Type')]: t(client.type === 'public' ? 'Public: no secret, PKCE' : 'Confidential: with a secret'),
    [t('Scopes')]:
      client.scopes.length === 0 ? t('None') : <span {...UNTRANSLATED}>{client.scopes.join(', ')}</span>,
    [t('Redirect URIs')]: <Addresses label={t('redirect URI')} addresses={client.redirectUris} />,
    [t('Web origins')]: <Addresses label={t('web origin')} addresses={client.widgetOrigins} />,
    [t('Allowed by')]: people === 0 ? t('No users yet') : users,
  };
  return <Facts facts={facts} />;
}

function Addresses(props: { label: string; addresses: readonly string[] }) {
  if (props.addresses.length === 0) return <>{t('None')}</>;
  return (
    <ul>
      {props.addresses.map((address) => (
        <li key={address}>
          <CopyText label={props.label} value={address} />
        </li>
      ))}
    </ul>
  );
}

function TypeAndSecret({ type, path }: Pick<OAuthClient, 'type'> & { path: string }) {
  const otherType = type === 'public' ? 'confidential' : 'public';
  return (
    <Panel id="type" heading={t('Type and secret')}>
      {type === 'public' ? (
        <p>{t('A public app has no secret. Make it confidential if a server can store a secret for it.')}</p>
      ) : (
        <p>
          {t(
            'We showed the secret when it was created. Replace it if you lost it, or if others may have seen it.',
          )}
        </p>
      )}
      <div class="panel-actions">
        {type === 'confidential' && (
          <ButtonLink isSmall href={`${path}/secret`} label={t('Replace secret')} />
        )}
        <ButtonLink
          isSmall
          href={`${path}/type/${otherType}`}
          label={t(otherType === 'public' ? 'Make app public' : 'Make app confidential')}
        />
      </div>
    </Panel>
  );
}

/** Renders the response to a form that created a secret. No other page shows the secret. */
export function clientSecretPage(
  frame: AreaFrame,
  client: Pick<OAuthClient, 'clientId' | 'name'>,
  shown: { secret: string; title: string; notes?: readonly string[] },
): Page {
  return developerSecretPage({
    frame,
    section: CLIENTS_HOME,
    title: shown.title,
    subject: client.name,
    id: { label: t('Client ID'), value: client.clientId },
    secretLabel: t('Client secret'),
    secret: shown.secret,
    lead: t(
      "Copy the secret now and store it safely. You won't be able to see it again, because the service stores only a hash.",
    ),
    notes: [
      t('Keep the secret on your server, which sends it when it requests tokens. Never put it into a page.'),
      ...(shown.notes ?? []),
    ],
    done: { href: clientPath(client.clientId), label: t('Continue to the app') },
  });
}
