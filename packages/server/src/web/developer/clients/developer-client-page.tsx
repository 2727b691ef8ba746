import type { OAuthScope } from '@latchkey/contract/constants';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { ClientLogo } from '../../ui/parts/picture.js';
import { Snippet } from '../../ui/parts/secret-field.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** Client as its owner sees it. */
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

/** Props of {@link developerClientPage}. */
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
    <section class="panel" aria-labelledby="settings">
      <div class="panel-heading">
        <h2 id="settings">Settings</h2>
        <a class="button secondary small" href={`/developer/clients/${client.clientId}/edit`}>
          Edit
        </a>
      </div>
      <dl class="facts">
        <dt>Client id</dt>
        <dd>
          <code class="copied">{client.clientId}</code>
        </dd>
        <dt>Type</dt>
        <dd>{client.type === 'public' ? 'Public: no secret, PKCE' : 'Confidential: with a secret'}</dd>
        <dt>Scopes</dt>
        <dd>{client.scopes.length === 0 ? 'None' : client.scopes.join(', ')}</dd>
        <dt>Redirect URIs</dt>
        <dd>
          <Addresses addresses={client.redirectUris} />
        </dd>
        <dt>Web origins</dt>
        <dd>
          <Addresses addresses={client.widgetOrigins} />
        </dd>
        <dt>Allowed by</dt>
        <dd>{people === 0 ? 'No users yet' : people === 1 ? '1 user' : `${people} users`}</dd>
      </dl>
    </section>
  );
}

function Addresses(props: { addresses: readonly string[] }) {
  if (props.addresses.length === 0) return <>None</>;
  return (
    <ul>
      {props.addresses.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
    </ul>
  );
}

function Snippets({ snippets }: Pick<DeveloperClientPageProps, 'snippets'>) {
  return (
    <section class="panel stack" aria-labelledby="snippets">
      <h2 id="snippets">Add it to your site</h2>
      <p class="muted">Click a snippet to select it.</p>
      {snippets.map(({ label, text }) => (
        <div class="field" key={label}>
          <p class="section-label">{label}</p>
          <Snippet label={label} text={text} />
        </div>
      ))}
    </section>
  );
}

function TypeAndSecret({ client }: { client: OwnClient }) {
  const path = `/developer/clients/${client.clientId}`;
  const otherType = client.type === 'public' ? 'confidential' : 'public';
  return (
    <section class="panel" aria-labelledby="type">
      <h2 id="type">Type and secret</h2>
      {client.type === 'public' ? (
        <p>A public app has no secret. Make it confidential if a server can store a secret for it.</p>
      ) : (
        <p>
          We showed the secret when it was created. Replace it if you lost it, or if others may have seen it.
        </p>
      )}
      <div class="panel-actions">
        {client.type === 'confidential' && (
          <a class="button secondary small" href={`${path}/secret`}>
            Replace secret
          </a>
        )}
        <a class="button secondary small" href={`${path}/type/${otherType}`}>
          Make app {otherType}
        </a>
      </div>
    </section>
  );
}

function Deletion({ client }: { client: OwnClient }) {
  return (
    <section class="panel" aria-labelledby="deletion">
      <h2 id="deletion">Delete</h2>
      <p>Signs all users out of the app and removes its client id for good.</p>
      <div class="panel-actions">
        <a class="button danger small" href={`/developer/clients/${client.clientId}/delete`}>
          Delete app
        </a>
      </div>
    </section>
  );
}
