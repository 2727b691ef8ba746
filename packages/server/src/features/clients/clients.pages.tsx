import { CLIENTS_HOME, developerSecretPage, inDeveloper } from '../../web/kit/areas/developer-area.js';
import { type AreaFrame, type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ButtonLink } from '../../web/kit/parts/form-parts.js';
import { AlertIcon } from '../../web/kit/parts/icons.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { type Column, ListPanel, type ShownList } from '../../web/kit/parts/table.js';
import { CodeBlock, CopyText, Count, Facts, NameLink, Pill } from '../../web/kit/parts/values.js';
import type { ClientSnippet } from './client-snippet.js';
import type { OAuthClient } from './clients.js';

/** A client in its owner's list. A problem that prevents sign-in is an obstacle. */
type ListedClient = OAuthClient & { hasObstacle: boolean };

/** Confirmations by the value of the query parameter `done`. */
export const CLIENT_NOTICES: ReadonlyMap<string | null, string> = new Map([
  ['registered', 'App registered.'],
  ['saved', 'Settings saved. They apply from now on.'],
  ['public', 'The app is now public. Its secret is revoked.'],
  ['confidential', 'The app was already confidential. Its secret has not changed.'],
  ['deleted', 'App deleted. All users are signed out of it.'],
  [
    'sent-before',
    'This form was already processed, and its secret was shown once. If you did not copy it, replace the secret on the app’s page.',
  ],
]);

export function clientPath(clientId: string): string {
  return `${CLIENTS_HOME}/${clientId}`;
}

const COLUMNS: readonly Column<ListedClient>[] = [
  {
    heading: 'Name',
    isRowHeading: true,
    cell: ({ clientId, name, logoUrl }) => (
      <span class="named">
        <ClientLogo name={name} logoUrl={logoUrl} size="small" />
        <NameLink href={clientPath(clientId)} name={name} />
      </span>
    ),
  },
  { heading: 'Client ID', cell: ({ clientId }) => <CopyText label="client ID" value={clientId} /> },
  { heading: 'Type', cell: ({ type }) => (type === 'public' ? 'Public' : 'Confidential') },
  {
    heading: 'Status',
    cell: ({ hasObstacle }) =>
      hasObstacle ? <Pill tone="warn">Not ready</Pill> : <Pill tone="good">Ready</Pill>,
  },
];

/** Renders the user's OAuth clients, which the pages call apps. */
export function developerClientsPage(props: PageProps & { clients: ShownList<ListedClient> }): Page {
  const { clients } = props;
  return renderAreaPage({
    ...props,
    ...inDeveloper(CLIENTS_HOME),
    title: 'Apps',
    lead: 'An app (an OAuth client) signs your visitors in. It can read their memberships or products if they allow it.',
    children: (
      <ListPanel
        id="clients"
        heading="Your apps"
        actions={
          clients.rows.length > 0 && (
            <ButtonLink kind="primary" isSmall href={`${CLIENTS_HOME}/new`} label="Register app" />
          )
        }
        label="Your apps"
        columns={COLUMNS}
        list={clients}
        empty={{
          title: 'You have no apps.',
          text: 'Register an app for each site that signs visitors in.',
          action: { href: `${CLIENTS_HOME}/new`, label: 'Register app' },
        }}
        noMore="There are no more apps."
        path={CLIENTS_HOME}
        first="first apps"
      />
    ),
  });
}

/** Renders the settings of an app, the code to paste, and the links to its changes. */
export function developerClientPage(
  props: PageProps & {
    client: OAuthClient;
    people: number;
    /** Problems that prevent sign-in, one sentence each. */
    obstacles: readonly string[];
    snippets: readonly ClientSnippet[];
  },
): Page {
  const { client, people, obstacles, snippets } = props;
  const path = clientPath(client.clientId);
  return renderAreaPage({
    ...props,
    ...inDeveloper(CLIENTS_HOME),
    title: `The app ${client.name}`,
    heading: (
      <span class="client-heading">
        <ClientLogo name={client.name} logoUrl={client.logoUrl} size="small" />
        <bdi>{client.name}</bdi>
      </span>
    ),
    lead: client.description === null ? undefined : <bdi>{client.description}</bdi>,
    parent: { href: CLIENTS_HOME, label: 'Apps' },
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
          heading="Settings"
          actions={<ButtonLink isSmall href={`${path}/edit`} label="Edit" />}
        >
          <Settings client={client} people={people} />
        </Panel>
        {snippets.length > 0 && (
          <Panel id="snippets" heading="Add it to your site">
            <div class="stack">
              {snippets.map((snippet) => (
                <CodeBlock key={snippet.label} {...snippet} />
              ))}
            </div>
          </Panel>
        )}
        <TypeAndSecret type={client.type} path={path} />
        <Panel id="deletion" heading="Delete" tone="danger">
          <p>Signs all users out of the app and removes its client ID for good.</p>
          <div class="panel-actions">
            <ButtonLink kind="danger" isSmall href={`${path}/delete`} label="Delete app" />
          </div>
        </Panel>
      </>
    ),
  });
}

function Settings({ client, people }: { client: OAuthClient; people: number }) {
  const users = (
    <>
      <Count value={people} /> {people === 1 ? 'user' : 'users'}
    </>
  );
  const facts = {
    'Client ID': <CopyText label="client ID" value={client.clientId} />,
    Type: client.type === 'public' ? 'Public: no secret, PKCE' : 'Confidential: with a secret',
    Scopes: client.scopes.length === 0 ? 'None' : client.scopes.join(', '),
    'Redirect URIs': <Addresses label="redirect URI" addresses={client.redirectUris} />,
    'Web origins': <Addresses label="web origin" addresses={client.widgetOrigins} />,
    'Allowed by': people === 0 ? 'No users yet' : users,
  };
  return <Facts facts={facts} />;
}

function Addresses(props: { label: string; addresses: readonly string[] }) {
  if (props.addresses.length === 0) return <>None</>;
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
    <Panel id="type" heading="Type and secret">
      {type === 'public' ? (
        <p>A public app has no secret. Make it confidential if a server can store a secret for it.</p>
      ) : (
        <p>
          We showed the secret when it was created. Replace it if you lost it, or if others may have seen it.
        </p>
      )}
      <div class="panel-actions">
        {type === 'confidential' && <ButtonLink isSmall href={`${path}/secret`} label="Replace secret" />}
        <ButtonLink isSmall href={`${path}/type/${otherType}`} label={`Make app ${otherType}`} />
      </div>
    </Panel>
  );
}

/** Renders the response to a form that created a secret. No other page shows it. */
export function clientSecretPage(
  frame: AreaFrame,
  client: Pick<OAuthClient, 'clientId' | 'name'>,
  /** The secret, and additional notes, one sentence each. */
  shown: { secret: string; title: string; notes?: readonly string[] },
): Page {
  return developerSecretPage({
    frame,
    section: CLIENTS_HOME,
    title: shown.title,
    subject: client.name,
    id: { label: 'Client ID', value: client.clientId },
    secretLabel: 'Client secret',
    secret: shown.secret,
    lead: "Copy the secret now and store it safely. You won't be able to see it again, because the service stores only a hash.",
    notes: [
      'Keep the secret on your server, which sends it when it requests tokens. Never put it into a page.',
      ...(shown.notes ?? []),
    ],
    done: { href: clientPath(client.clientId), label: 'Continue to the app' },
  });
}
