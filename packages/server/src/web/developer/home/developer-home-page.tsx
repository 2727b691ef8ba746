import { type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import { AlertIcon } from '../../ui/icons.js';
import type { Page } from '../../ui/site.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** Props of {@link developerHomePage}. */
export interface DeveloperHomePageProps {
  frame: AreaFrame;
  /** The service's own origin. */
  baseUrl: string;
  /** How many keys work. */
  apiKeys: number;
  clients: number;
  webhooks: number;
  /** How many webhooks fail, or were paused because they did. */
  failingWebhooks: number;
  /** Communities that the person's keys reach. */
  communities: readonly { id: string; name: string; role: string }[];
}

/** The start of the developer area: the three ways to integrate, and what one has of each. */
export function developerHomePage(props: DeveloperHomePageProps): Page {
  const { frame, baseUrl, failingWebhooks } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer',
    title: 'Developer',
    lead: 'Three ways to build on your communities and products. They go together.',
    children: (
      <>
        {failingWebhooks > 0 && (
          <div class="warning">
            <AlertIcon />
            <p>
              {failingWebhooks === 1
                ? 'One of your webhooks fails'
                : `${failingWebhooks} of your webhooks fail`}
              : events wait, or are not delivered. <a href="/developer/webhooks">See what is wrong</a>
            </p>
          </div>
        )}
        <ul class="tiles">
          <Tile href="/developer/clients" title="Apps" count={counted(props.clients, 'app')}>
            Sign your visitors in, and open what their memberships pay for. In a browser, or on a server.
          </Tile>
          <Tile href="/developer/api-keys" title="API keys" count={counted(props.apiKeys, 'key')}>
            Your server calls the service: checkouts, invite links, membership checks, drop signups.
          </Tile>
          <Tile href="/developer/webhooks" title="Webhooks" count={counted(props.webhooks, 'webhook')}>
            The service calls your server: somebody paid, a membership began or changed.
          </Tile>
        </ul>
        <section class="panel" aria-labelledby="addresses">
          <h2 id="addresses">What your programs need</h2>
          <dl class="facts">
            <dt>Base URL</dt>
            <dd>
              <code class="copied">{baseUrl}</code>
            </dd>
            <dt>Description</dt>
            <dd>
              <a href="/reference">API reference</a>, and <a href="/openapi.json">OpenAPI 3.1</a> for programs
            </dd>
            {props.communities.map(({ id, name, role }) => (
              <Community key={id} id={id} name={name} role={role} />
            ))}
          </dl>
          {props.communities.length === 0 && (
            <p class="muted">You administer no community: an API key would reach none.</p>
          )}
        </section>
      </>
    ),
  });
}

function Tile(props: { href: string; title: string; count: string; children: string }) {
  return (
    <li>
      <a class="tile" href={props.href}>
        <span class="tile-title">
          {props.title} <span class="tag">{props.count}</span>
        </span>
        <span class="muted">{props.children}</span>
      </a>
    </li>
  );
}

function Community({ id, name, role }: { id: string; name: string; role: string }) {
  return (
    <>
      <dt>
        <bdi>{name}</bdi>, {role}
      </dt>
      <dd>
        <code class="copied">{id}</code>
      </dd>
    </>
  );
}

function counted(count: number, what: string): string {
  if (count === 0) return 'None yet';
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
