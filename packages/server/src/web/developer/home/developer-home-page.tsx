import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import { AlertIcon } from '../../ui/parts/icons.js';
import { DEVELOPER_SECTIONS } from '../frame/developer-sections.js';

/** Props of {@link developerHomePage}. */
export interface DeveloperHomePageProps {
  frame: AreaFrame;
  /** The service's own origin. */
  baseUrl: string;
  /** Number of active keys. */
  apiKeys: number;
  clients: number;
  webhooks: number;
  /** Number of failing and paused webhooks. */
  failingWebhooks: number;
  /** Communities that the user's API keys can access. */
  communities: readonly { id: string; name: string; role: string }[];
}

/** Renders the start page of the developer area. */
export function developerHomePage(props: DeveloperHomePageProps): Page {
  const { frame, baseUrl, failingWebhooks } = props;
  return renderAreaPage({
    frame,
    area: 'developer',
    sections: DEVELOPER_SECTIONS,
    section: '/developer',
    title: 'Developer',
    lead: 'Three ways to integrate your communities and products. You can combine them.',
    children: (
      <>
        {failingWebhooks > 0 && (
          <div class="warning">
            <AlertIcon />
            <p>
              {failingWebhooks === 1
                ? 'One of your webhooks is failing.'
                : `${failingWebhooks} of your webhooks are failing.`}{' '}
              Events are delayed or not delivered. <a href="/developer/webhooks">View webhooks</a>
            </p>
          </div>
        )}
        <ul class="tiles">
          <Tile href="/developer/clients" title="Apps" count={countOf(props.clients, 'app')}>
            Sign in your visitors and show content to members, in a browser or on a server.
          </Tile>
          <Tile href="/developer/api-keys" title="API keys" count={countOf(props.apiKeys, 'key')}>
            Your server calls the service for checkouts, invite links, membership checks and drop signups.
          </Tile>
          <Tile href="/developer/webhooks" title="Webhooks" count={countOf(props.webhooks, 'webhook')}>
            The service calls your server when a payment completes or a membership changes.
          </Tile>
        </ul>
        <section class="panel" aria-labelledby="addresses">
          <h2 id="addresses">API details</h2>
          <dl class="facts">
            <dt>Base URL</dt>
            <dd>
              <code class="copied">{baseUrl}</code>
            </dd>
            <dt>Documentation</dt>
            <dd>
              <a href="/reference">API reference</a>, and <a href="/openapi.json">OpenAPI 3.1</a> for programs
            </dd>
            {props.communities.map(({ id, name, role }) => (
              <Community key={id} id={id} name={name} role={role} />
            ))}
          </dl>
          {props.communities.length === 0 && (
            <p class="muted">You don't administer a community, so an API key has no access yet.</p>
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

function countOf(count: number, what: string): string {
  if (count === 0) return 'None yet';
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
