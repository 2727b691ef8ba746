/** A page of the documentation. Its text is a Markdown file of the repository. */
export interface DocsPage {
  /** Last part of the page's address: `/docs/{slug}`. */
  readonly slug: string;
  /** Path of the file in the repository. */
  readonly file: string;
  readonly label: string;
  /** One sentence about the content, for `llms.txt`. */
  readonly about: string;
}

/** Pages that belong together in the navigation. */
export interface DocsGroup {
  readonly label: string;
  readonly pages: readonly DocsPage[];
}

const page = (slug: string, file: string, label: string, about: string): DocsPage => ({
  slug,
  file,
  label,
  about,
});
const example = (name: string, label: string, about: string) =>
  page(`example-${name}`, `examples/${name}/README.md`, label, about);

/** All pages, in the order of the navigation. The first one is shown at `/docs`. */
export const DOCS_GROUPS: readonly DocsGroup[] = [
  {
    label: 'Start',
    pages: [
      page('overview', 'README.md', 'Overview', 'The packages, and the first steps with the sandbox.'),
      page(
        'demo',
        'demo/README.md',
        'Demo',
        'Two shops that use the sandbox: one static, one with a backend.',
      ),
    ],
  },
  {
    label: 'Quick starts',
    pages: [
      page(
        'quick-start-script-tag',
        'docs/quick-start-script-tag.md',
        'Script tag',
        'A sign-in button on a static page.',
      ),
      page(
        'quick-start-express',
        'docs/quick-start-express.md',
        'Express',
        'A site with sign-in, a page for members and webhooks.',
      ),
      page('quick-start-react', 'docs/quick-start-react.md', 'React', 'The widget in a React app with Vite.'),
      page(
        'quick-start-nextjs',
        'docs/quick-start-nextjs.md',
        'Next.js',
        'Next.js in front of the Express kit.',
      ),
      page(
        'quick-start-webhooks',
        'docs/quick-start-webhooks.md',
        'Webhooks',
        'Receives events of purchases and memberships.',
      ),
      page(
        'quick-start-funnel',
        'docs/quick-start-funnel.md',
        'Funnel',
        'Grants memberships for sales of another shop.',
      ),
    ],
  },
  {
    label: 'Guides',
    pages: [
      page(
        'gating',
        'docs/gating.md',
        'Gating by community',
        'Gates on pages and on the server, and the membership directory.',
      ),
      page('selling', 'docs/selling.md', 'Selling', 'A Join button, the checkout and the way back.'),
      page('testing', 'docs/testing.md', 'Testing', 'createSandbox with vitest, node:test and Playwright.'),
      page('theming', 'docs/theming.md', 'Theming', 'Colours, fonts, light and dark.'),
      page('translations', 'docs/translations.md', 'Translations', 'Languages of the widget.'),
      page(
        'going-live',
        'docs/going-live.md',
        'Going live',
        'A checklist from the sandbox to the live service.',
      ),
      page(
        'self-hosting',
        'docs/self-hosting.md',
        'Self-hosting',
        'Databases, mail, backup, restore, upgrade and payments.',
      ),
      page('scaling', 'docs/scaling.md', 'Scaling', 'Several processes and machines.'),
      page(
        'performance',
        'docs/performance.md',
        'Performance',
        'Measured ratios, their budgets, and how to measure them.',
      ),
      page('reliability', 'docs/reliability.md', 'Reliability', 'What the soak and the simulation prove.'),
      page(
        'mutation-testing',
        'docs/mutation-testing.md',
        'Mutation testing',
        'Which mistakes the tests of the rules would notice.',
      ),
      page(
        'troubleshooting',
        'docs/troubleshooting.md',
        'Troubleshooting',
        'Symptoms, and every error code with its fix.',
      ),
      page('doctor', 'docs/doctor.md', 'Doctor', 'Every finding of latchkey doctor, with cause and remedy.'),
      page(
        'conformance-caller',
        'docs/conformance-caller.md',
        'Conformance of clients',
        'Check a client in any language against the rules for callers.',
      ),
      page(
        'popup-sign-in',
        'docs/popup-sign-in.md',
        'Popup sign-in',
        'The messages of the popup flow, and the attack that each step prevents.',
      ),
      page(
        'sessions',
        'docs/sessions.md',
        'Sessions',
        'Sessions of the Express kit: cookies, stores, refresh.',
      ),
      page(
        'live-service',
        'docs/live-service.md',
        'Live service',
        'What is assumed about the live service, and how to check it.',
      ),
      page(
        'conformance',
        'docs/conformance.md',
        'Conformance',
        'Checks of any service against each rule of the specification.',
      ),
      page(
        'security-model',
        'docs/security-model.md',
        'Security model',
        'Attackers, what each can do, and the tests.',
      ),
      page(
        'threat-model',
        'docs/threat-model.md',
        'Threat model',
        'Threats by asset, with defences and tests.',
      ),
      page(
        'oauth-security',
        'docs/oauth-security.md',
        'OAuth recommendations',
        'RFC 9700 and RFC 6819, point by point.',
      ),
      page('asvs', 'docs/asvs.md', 'OWASP ASVS', 'OWASP ASVS 5.0, levels 1 and 2.'),
      page(
        'server-inside',
        'docs/server.md',
        'Inside the server',
        'How the reference server handles a request.',
      ),
      example('deployment', 'Deployment', 'A server on PostgreSQL in several processes.'),
    ],
  },
  {
    label: 'Packages',
    pages: [
      page('widget', 'packages/widget/README.md', 'Widget', 'Sign-in, gates and plans for any page.'),
      page('express', 'packages/express/README.md', 'Express kit', 'Sessions, gates, checkout and webhooks.'),
      page('client', 'packages/client/README.md', 'API client', 'The five endpoints that take an API key.'),
      page('oauth', 'packages/oauth/README.md', 'OAuth client', 'The seven endpoints of the sign-in.'),
      page(
        'conformance-kit',
        'packages/conformance/README.md',
        'Conformance kit',
        'Checks of any service, and of any client of one.',
      ),
      page(
        'sandbox',
        'packages/sandbox/README.md',
        'Sandbox',
        'A membership service for development and tests.',
      ),
      page('cli', 'packages/cli/README.md', 'Command line', 'The command latchkey and its options.'),
      page(
        'server',
        'packages/server/README.md',
        'Server',
        'The reference server: options, databases, operation.',
      ),
      page('contract', 'packages/contract/README.md', 'Contract', 'Schemas and types of the API.'),
    ],
  },
  {
    label: 'Examples',
    pages: [
      example('script-tag', 'Script tag', 'A static page with a login button.'),
      example('express', 'Express', 'An Express app with sign-in and a gate.'),
      example('gated-site', 'Gated site', 'Pages and files for members only.'),
      example('recipes', 'Frameworks', 'The widget in React, Vue, Svelte and others.'),
      example('webhook-consumer', 'Webhook consumer', 'Receives events and verifies their signatures.'),
      example('import-members', 'Import of members', 'Fills the membership directory from a file.'),
      example('external-funnel', 'External funnel', 'Grants memberships for sales of another system.'),
      example('drop-landing-page', 'Drop landing page', 'Collects signups for the next drop.'),
      example('several-instances', 'Several instances', 'Processes that share sessions.'),
    ],
  },
  {
    label: 'Project',
    pages: [
      page(
        'decisions',
        'packages/server/DECISIONS.md',
        'Decisions',
        'What the specification leaves open, and the choices of the reference server.',
      ),
      page('architecture', 'ARCHITECTURE.md', 'Architecture', 'The packages and their dependencies.'),
      page('contributing', 'CONTRIBUTING.md', 'Contributing', 'How to build, test and change the code.'),
      page(
        'accessibility',
        'packages/widget/ACCESSIBILITY.md',
        'Accessibility',
        'What the widget conforms to.',
      ),
      page(
        'dependencies',
        'docs/dependencies.md',
        'Dependencies',
        'Every package that ours install, and its reason.',
      ),
      page('security', 'SECURITY.md', 'Report a vulnerability', 'How to report a vulnerability.'),
      page('changelog', 'CHANGELOG.md', 'Changes', 'The changes of each version.'),
    ],
  },
];

/** All pages without their groups. */
export const DOCS_PAGES: readonly DocsPage[] = DOCS_GROUPS.flatMap(({ pages }) => pages);

/** Images of the pages: paths of files in the repository. */
export const DOCS_IMAGE_FOLDER = 'docs/images';

export const DOCS_PATH = '/docs';

export function docsHref({ slug }: Pick<DocsPage, 'slug'>): string {
  return slug === DOCS_PAGES[0]?.slug ? DOCS_PATH : `${DOCS_PATH}/${slug}`;
}
