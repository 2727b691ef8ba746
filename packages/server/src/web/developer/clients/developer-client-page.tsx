import type { OAuthScope } from '@latchkey/contract/constants';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { ButtonLink } from '../../ui/parts/button.js';
import { CodeBlock, CopyText } from '../../ui/parts/copy.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { Count } from '../../ui/parts/money.js';
import { Panel } from '../../ui/parts/panel.js';
import { ClientLogo } from '../../ui/parts/picture.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

export interface OwnClient {
  clientId: string;
  name: string;
  type: 'public' | 'confidential';
  description: string | null;
  logoUrl: string | null;
  redirectUris: readonly string[];
  widgetOrigins: readonly string[];
  scopes: readonly OAuthScope[];
}

export interface DeveloperClientPageProps {
  frame: AreaFrame;
  client: OwnClient;
  /** Number of users who have allowed the app. */
  people: number;
  /** Problems that prevent sign-in, one sentence each. */
  obstacles: readonly string[];
  /** Code to paste into a site. */
  snippets: readonly { label: string; text: string }[];
  notice?: string | undefined;
}

/** Renders the settings of an app, the code to paste, and the links to its changes. */
export function developerClientPage(props: DeveloperClientPageProps): Page {
  const { frame, client, obstacles, snippets } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer/clients',
    title: `The app ${client.name}`,
    heading: (
      <span class="client-heading">
        <ClientLogo name={client.name} logoUrl={client.logoUrl} size="small" />
        <bdi>{client.name}</bdi>
      </span>
    ),
    lead: client.description === null ? undefined : <bdi>{client.description}</bdi>,
    parent: { href: '/developer/clients', label: 'Apps' },
    notice: props.notice,
    children: (
      <>
        {obstacles.map((obstacle) => (
          <div class="warning" key={obstacle}>
            <AlertIcon />
            <p>{obstacle}</p>
          </div>
        ))}
        <Settings client={client} people={props.people} />
        {snippets.length > 0 && <Snippets snippets={snippets} />}
        <TypeAndSecret client={client} />
        <Deletion client={client} />
      </>
    ),
  });
}

function Settings({ client, people }: Pick<DeveloperClientPageProps, 'client' | 'people'>) {
  return (
    <Panel
      id="settings"
      heading="Settings"
      actions={
        <ButtonLink isSmall href={`/developer/clients/${client.clientId}/edit`}>
          Edit
        </ButtonLink>
      }
    >
      <dl class="facts">
        <dt>Client ID</dt>
        <dd>
          <CopyText label="client ID" value={client.clientId} />
        </dd>
        <dt>Type</dt>
        <dd>{client.type === 'public' ? 'Public: no secret, PKCE' : 'Confidential: with a secret'}</dd>
        <dt>Scopes</dt>
        <dd>{client.scopes.length === 0 ? 'None' : client.scopes.join(', ')}</dd>
        <dt>Redirect URIs</dt>
        <dd>
          <Addresses label="redirect URI" addresses={client.redirectUris} />
        </dd>
        <dt>Web origins</dt>
        <dd>
          <Addresses label="web origin" addresses={client.widgetOrigins} />
        </dd>
        <dt>Allowed by</dt>
        <dd>
          {people === 0 ? (
            'No users yet'
          ) : (
            <>
              <Count value={people} /> {people === 1 ? 'user' : 'users'}
            </>
          )}
        </dd>
      </dl>
    </Panel>
  );
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

function Snippets({ snippets }: Pick<DeveloperClientPageProps, 'snippets'>) {
  return (
    <Panel id="snippets" heading="Add it to your site">
      <div class="stack">
        {snippets.map(({ label, text }) => (
          <CodeBlock key={label} label={label} text={text} />
        ))}
      </div>
    </Panel>
  );
}

function TypeAndSecret({ client }: { client: OwnClient }) {
  const path = `/developer/clients/${client.clientId}`;
  const otherType = client.type === 'public' ? 'confidential' : 'public';
  return (
    <Panel id="type" heading="Type and secret">
      {client.type === 'public' ? (
        <p>A public app has no secret. Make it confidential if a server can store a secret for it.</p>
      ) : (
        <p>
          We showed the secret when it was created. Replace it if you lost it, or if others may have seen it.
        </p>
      )}
      <div class="panel-actions">
        {client.type === 'confidential' && (
          <ButtonLink isSmall href={`${path}/secret`}>
            Replace secret
          </ButtonLink>
        )}
        <ButtonLink isSmall href={`${path}/type/${otherType}`}>
          Make app {otherType}
        </ButtonLink>
      </div>
    </Panel>
  );
}

function Deletion({ client }: { client: OwnClient }) {
  return (
    <Panel id="deletion" heading="Delete" tone="danger">
      <p>Signs all users out of the app and removes its client ID for good.</p>
      <div class="panel-actions">
        <ButtonLink kind="danger" isSmall href={`/developer/clients/${client.clientId}/delete`}>
          Delete app
        </ButtonLink>
      </div>
    </Panel>
  );
}
