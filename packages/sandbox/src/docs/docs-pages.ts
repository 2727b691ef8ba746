export interface DocsPage {
  /** Last part of the page's URL: `/docs/{slug}`. */
  readonly slug: string;
  /** Path of the file in the repository. */
  readonly file: string;
  readonly label: string;
  /** One sentence about the content, for `llms.txt`. */
  readonly about: string;
}

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
const guide = (slug: string, label: string, about: string) => page(slug, `docs/${slug}.md`, label, about);
const readme = (name: string, label: string, about: string) =>
  page(name, `packages/${name}/README.md`, label, about);
const example = (name: string, label: string, about: string) =>
  page(`example-${name}`, `examples/${name}/README.md`, label, about);

/** The pages for users, in the order of the navigation. The first one is shown at `/docs`. */
export const DOCS_GROUPS: readonly DocsGroup[] = [
  {
    label: 'Start',
    pages: [
      page('overview', 'README.md', 'Overview', 'The packages, and the first steps with the sandbox.'),
      guide('quick-start-script-tag', 'Script tag', 'A sign-in button on a static page.'),
      guide('quick-start-express', 'Express', 'A site with sign-in, a page for members and webhooks.'),
      guide('quick-start-react', 'React', 'The widget in a React app with Vite.'),
      guide('quick-start-nextjs', 'Next.js', 'Next.js in front of the Express kit.'),
      guide('quick-start-webhooks', 'Webhooks', 'Receives events of purchases and memberships.'),
      guide('quick-start-funnel', 'Funnel', 'Grants memberships for sales of another shop.'),
      page(
        'demo',
        'demo/README.md',
        'Demo',
        'Two shops that use the sandbox: one static, one with a backend.',
      ),
    ],
  },
  {
    label: 'Build',
    pages: [
      guide(
        'gating',
        'Gating by community',
        'Gates on pages and on the server, and the membership directory.',
      ),
      guide('selling', 'Selling', 'A Join button, the checkout and the way back.'),
      guide('testing', 'Testing', 'createSandbox with vitest, node:test and Playwright.'),
      guide('theming', 'Theming', 'Colours, fonts, light and dark.'),
      guide('translations', 'Translations', 'Languages of the widget.'),
      guide('troubleshooting', 'Troubleshooting', 'Symptoms, and every error code with its fix.'),
      guide('doctor', 'Doctor', 'Every finding of latchkey doctor, with cause and remedy.'),
      guide('popup-sign-in', 'How sign-in works', 'The popup flow, and the attack that each step prevents.'),
      guide('sessions', 'How sessions work', 'Sessions of the Express kit: cookies, stores, refresh.'),
      example('script-tag', 'Example: script tag', 'A static page with a login button.'),
      example('express', 'Example: Express', 'An Express app with sign-in and a gate.'),
      example('gated-site', 'Example: gated site', 'Pages and files for members only.'),
      example('recipes', 'Example: frameworks', 'The widget in React, Vue, Svelte and others.'),
      example('webhook-consumer', 'Example: webhooks', 'Receives events and verifies their signatures.'),
      example('import-members', 'Example: import', 'Fills the membership directory from a file.'),
      example('external-funnel', 'Example: funnel', 'Grants memberships for sales of another system.'),
      example('drop-landing-page', 'Example: drop page', 'Collects signups for the next drop.'),
    ],
  },
  {
    label: 'Operate',
    pages: [
      guide('going-live', 'Going live', 'A checklist from the sandbox to the live service.'),
      guide('live-service', 'Live service', 'What is assumed about the live service, and how to check it.'),
      guide('scaling', 'Scaling', 'Several processes and machines.'),
      guide('self-hosting', 'Self-hosting', 'Databases, mail, backup, restore, upgrade and payments.'),
      guide('stripe', 'Stripe', 'Take payments with Stripe: what to click, test cards, refunds, going live.'),
      guide(
        'payment-provider',
        'Payment providers',
        'Connect a payment service of your own by one interface.',
      ),
      guide('performance', 'Performance', 'Measured ratios, their budgets, and how to measure them.'),
      example('several-instances', 'Example: several instances', 'Processes that share sessions.'),
      example('deployment', 'Example: deployment', 'A server on PostgreSQL in several processes.'),
    ],
  },
  {
    label: 'Reference',
    pages: [
      readme('widget', 'Widget', 'Sign-in, gates and plans for any page.'),
      readme('express', 'Express kit', 'Sessions, gates, checkout and webhooks.'),
      readme('client', 'API client', 'The five endpoints that take an API key.'),
      readme('oauth', 'OAuth client', 'The seven endpoints of the sign-in.'),
      readme('sandbox', 'Sandbox', 'A membership service for development and tests.'),
      readme('cli', 'Command line', 'The command latchkey and its options.'),
      readme('server', 'Server', 'The reference server: options, databases, operation.'),
      page(
        'stripe-package',
        'packages/stripe/README.md',
        'Stripe package',
        'Payments with Stripe, and a fake of Stripe.',
      ),
      readme('contract', 'Contract', 'Schemas and types of the API.'),
      page(
        'conformance-kit',
        'packages/conformance/README.md',
        'Conformance kit',
        'Checks of any service, and of any client of one.',
      ),
      guide('conformance', 'Conformance', 'Checks of any service against each rule of the specification.'),
      guide(
        'conformance-caller',
        'Conformance of clients',
        'Check a client in any language against the rules for callers.',
      ),
      guide('security-model', 'Security model', 'Attackers, what each can do, and the tests.'),
      guide('threat-model', 'Threat model', 'Threats by asset, with defences and tests.'),
      guide('oauth-security', 'OAuth recommendations', 'RFC 9700 and RFC 6819, point by point.'),
      guide('asvs', 'OWASP ASVS', 'OWASP ASVS 5.0, levels 1 and 2.'),
      page(
        'accessibility',
        'packages/widget/ACCESSIBILITY.md',
        'Accessibility',
        'What the widget conforms to.',
      ),
      page('security', 'SECURITY.md', 'Report a vulnerability', 'How to report a vulnerability.'),
      page('changelog', 'CHANGELOG.md', 'Changes', 'The changes of each version.'),
    ],
  },
];

/** Pages for people who change this repository. The navigation has only the first one, which links to the others. */
export const CONTRIBUTOR_PAGES: readonly DocsPage[] = [
  page('contributing', 'CONTRIBUTING.md', 'Contributing', 'How to build, test and change the code.'),
  page('architecture', 'ARCHITECTURE.md', 'Architecture', 'The packages and their dependencies.'),
  page(
    'decisions',
    'packages/server/DECISIONS.md',
    'Decisions',
    'What the specification leaves open, and the choices of the reference server.',
  ),
  page(
    'server-inside',
    'docs/contributing/server.md',
    'Inside the server',
    'How the reference server handles a request.',
  ),
  page(
    'reliability',
    'docs/contributing/reliability.md',
    'Reliability',
    'What the soak, the simulation and mutation testing prove.',
  ),
  guide('dependencies', 'Dependencies', 'Every package that ours install, and its reason.'),
];

export const DOCS_PAGES: readonly DocsPage[] = [
  ...DOCS_GROUPS.flatMap(({ pages }) => pages),
  ...CONTRIBUTOR_PAGES,
];

export const DOCS_IMAGE_FOLDER = 'docs/images';

/** Skills for coding assistants, each for a package that integrations use, with its file in the repository. */
export const SKILLS: readonly { name: string; file: string }[] = [
  'widget',
  'express',
  'client',
  'oauth',
  'sandbox',
  'cli',
].map((name) => ({ name: `latchkey-${name}`, file: `packages/${name}/SKILL.md` }));

export const DOCS_PATH = '/docs';

export function docsHref({ slug }: Pick<DocsPage, 'slug'>): string {
  return slug === DOCS_PAGES[0]?.slug ? DOCS_PATH : `${DOCS_PATH}/${slug}`;
}
