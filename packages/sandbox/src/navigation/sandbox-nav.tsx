import type { Clock, SiteOptions } from '@latchkey/server';
import { BookIcon, type DocumentProps, type Page, PersonIcon, renderDocument } from '@latchkey/server/ui';
import type { ComponentChildren } from 'preact';
import { SANDBOX_STYLESHEET } from '../styles/sandbox-stylesheet.js';
import { CONSOLE_VIEWS, type ViewGroup } from './console-views.js';

interface Destination {
  readonly name: string;
  readonly label: string;
  readonly path: string;
}

/** Pages that the server renders, by group of the navigation. They follow the console's views of the group. */
const PAGES: Readonly<Record<ViewGroup, readonly Destination[]>> = {
  observe: [
    { name: 'mailbox', label: 'Mailbox', path: '/sandbox/mailbox' },
    { name: 'messenger', label: 'Messenger', path: '/sandbox/messenger' },
  ],
  change: [],
  build: [{ name: 'reference', label: 'Reference', path: '/reference' }],
};

const HOME: Destination = { name: 'sandbox', label: 'Start', path: '/sandbox' };

/**
 * Returns the header of the sandbox's pages, with links to documentation and account and below them all tools, and the
 * stylesheet with their layout.
 *
 * @param current name of the page: `sandbox`, `docs`, `reference`, or one of the tools.
 */
export function sandboxHeader(
  current?: string,
): Pick<DocumentProps, 'headerEnd' | 'headerNav' | 'stylesheet'> {
  return {
    headerEnd: <Links current={current} />,
    headerNav: <Tools current={current} />,
    stylesheet: SANDBOX_STYLESHEET.path,
  };
}

interface SandboxPageProps extends Pick<DocumentProps, 'title' | 'scripts' | 'modules' | 'children'> {
  /** Name of the page, as for {@link sandboxHeader}. */
  readonly current?: string;
  /** @default the title */
  readonly heading?: string;
  /** A sentence below the heading. */
  readonly lead: ComponentChildren;
  /** @default 'console' */
  readonly look?: string;
}

/** Returns a page of the sandbox with its heading. */
export function sandboxPage(props: SandboxPageProps): Page {
  const { current, heading = props.title, lead, look = 'console', children, ...document } = props;
  return renderDocument({
    ...document,
    layout: 'reference',
    ...sandboxHeader(current),
    children: (
      <main class={look} id="content">
        <div class="page-heading">
          <h1>{heading}</h1>
          <p class="lead">{lead}</p>
        </div>
        {children}
      </main>
    ),
  });
}

function Links({ current }: { current: string | undefined }) {
  return (
    <nav class="site-nav" aria-label="Service">
      <a href="/docs" {...currentPage(current === 'docs')}>
        <BookIcon />
        Docs
      </a>
      <a href="/account">
        <PersonIcon />
        Account
      </a>
    </nav>
  );
}

function Tools({ current }: { current: string | undefined }) {
  const groups = (['observe', 'change', 'build'] as const).map(destinationsOf);
  return (
    <nav class="sub-nav tool-nav" aria-label="Sandbox">
      {[[HOME], ...groups]
        .filter((group) => group.length > 0)
        .map((group) => (
          <div class="tool-group" key={group[0]?.name}>
            {group.map(({ name, label, path }) => (
              <a href={path} key={name} {...currentPage(name === current)}>
                {label}
              </a>
            ))}
          </div>
        ))}
    </nav>
  );
}

function destinationsOf(group: ViewGroup): readonly Destination[] {
  const views = CONSOLE_VIEWS.filter((view) => view.group === group);
  return [...views.map(({ name, label }) => ({ name, label, path: `/sandbox/${name}` })), ...PAGES[group]];
}

function currentPage(is: boolean) {
  return is ? { 'aria-current': 'page' as const } : {};
}

/** Makes all pages show the sandbox's banner, with the service's time. */
export function sandboxSite(clock: Pick<Clock, 'now'>): SiteOptions {
  return {
    homePath: '/sandbox',
    get referenceHeader() {
      const { headerEnd: end, headerNav: nav } = sandboxHeader('reference');
      return { end, nav, stylesheet: SANDBOX_STYLESHEET.path };
    },
    banner: {
      label: 'Sandbox notice',
      badge: 'Sandbox',
      text: 'Test people, test data. Nothing here is real.',
      get time() {
        return clock.now();
      },
    },
  };
}
