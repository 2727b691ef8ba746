// The allowed imports between packages and between folders, as drawn in ARCHITECTURE.md. Workspace packages resolve to
// packages/*/dist through their exports maps. scripts/test/import-rules.test.ts proves each rule with a planted import.

/** The packages that each package's sources may import, besides its own files. */
const PACKAGES = {
  contract: [],
  oauth: ['contract'],
  client: ['contract'],
  widget: ['oauth', 'contract'],
  express: ['oauth', 'client', 'contract'],
  server: ['contract'],
  sandbox: ['server', 'contract'],
  console: ['sandbox', 'server', 'contract'],
  conformance: ['contract'],
  stripe: ['server'],
  cli: ['server', 'sandbox', 'conformance', 'stripe', 'contract'],
};

/** The wings of the server. Each wing may import the wings listed with it. Platform imports the type of all tables, and names none. */
const SERVER_WINGS = {
  migrations: [],
  platform: ['migrations'],
  features: ['web', 'platform', 'migrations'],
  api: ['features', 'platform'],
  web: ['features', 'platform'],
  app: ['api', 'web', 'features', 'platform'],
};

const FEATURES = '^packages/server/src/features/';
/** Files of a feature for people: pages, and the routes that answer with them. Its other files are rules and queries. */
const PAGES = '[.](?:pages|routes)[.]tsx?$';
/** Features that list the routes of an area. */
const AREAS = 'account|developer|operator|seller';

/** Folders by package, the lowest first. A folder may import only the folders listed before it. */
const FOLDERS = {
  'packages/contract/src': [...['requirements', 'names', 'shapes', 'oauth', 'webhooks', 'api-key']],
  'packages/client/src': ['options', 'call'],
  'packages/express/src': [
    ...['platform', 'http', 'stores', 'memberships', 'session', 'sign-in', 'gates', 'checkout', 'webhooks'],
    'testing',
  ],
  'packages/widget/src': [
    ...['browser', 'state', 'messages', 'sign-in', 'session', 'element', 'login', 'gate', 'checkout'],
    ...['callback', 'frameworks'],
  ],
  'packages/server/src/platform': [
    ...['logging', 'database', 'background', 'language', 'http', 'colours', 'mail', 'health', 'metrics'],
  ],
  'packages/server/src/features': [
    ...[
      'fields',
      'audit',
      'brand',
      'budgets',
      'users',
      'communities',
      'mail',
      'api-keys',
      'webhooks',
      'charges',
    ],
    ...[
      'plans',
      'products',
      'memberships',
      'invitations',
      'checkout',
      'drops',
      'messenger',
      'clients',
      'oauth',
    ],
    ...['sessions', 'sign-in', 'two-step', 'email-change', 'operator-roles', 'community-closing'],
    ...['account-deletion', 'user-export', 'retention', 'operator'],
    ...['widget', 'reference', 'storefront', 'account', 'developer', 'seller'],
  ],
  'packages/server/src/features/webhooks': ['endpoint', 'registration', 'attempt', 'sending', 'log'],
  'packages/server/src/web/kit': ['styles', 'parts', 'frame', 'areas'],
  'packages/sandbox/src': [
    ...[
      'services',
      'styles',
      'navigation',
      'docs',
      'payments',
      'mailbox',
      'messenger',
      'receiver',
      'scenario',
      'integration',
    ],
    ...['preview', 'people'],
    ...['control', 'home', 'console'],
  ],
  'packages/sandbox/src/control': [
    ...[
      'routes',
      'access',
      'stream',
      'requests',
      'timeline',
      'faults',
      'payments',
      'deliveries',
      'snapshots',
    ],
  ],
  'packages/console/src': ['api', 'parts', 'shell', 'views'],
  'packages/cli/src': [
    'command-line',
    'service',
    'migrate',
    'serve',
    'control',
    'admin',
    'doctor',
    'conformance',
    'explain',
    'init',
    'mcp',
    'sandbox',
  ],
  'packages/conformance/src': ['report', 'payments', 'provider', 'scripted-service', 'caller'],
  'packages/conformance/src/caller': ['record', 'service', 'drive', 'play', 'checks', 'passive'],
};

/** Returns the part of a rule's name that stands for a folder: `packages/server/src/features` is `server-features`. */
const nameOf = (path) => path.replace('packages/', '').replace('/src', '').replaceAll('/', '-');
const inside = (name) => `^packages/${name}/`;
const source = (name) => `^packages/${name}/(src|bench)/`;
const anySource = '^packages/[^/]+/src';
const TWO_LAYERS = '^packages/server/src/(?:features|web)(?:/|$)';
const SCRIPTED_SERVICE = '^packages/conformance/(src|dist)/scripted-service';

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },

    // Arrows between packages.
    ...Object.entries(PACKAGES).map(([name, allowed]) => ({
      name: `${name}-imports-only-${allowed.join('-and-') || 'itself'}`,
      severity: 'error',
      from: { path: source(name) },
      to: {
        path: '^(packages|demo|e2e|examples)/',
        pathNot: [...[name, ...allowed].map(inside), SCRIPTED_SERVICE],
      },
    })),
    {
      name: 'no-reaching-into-another-package',
      comment: 'Packages meet at their public entries. Relative paths stay inside a package.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|demo|e2e|examples)/' },
      to: { path: '^(packages/[^/]+|demo)/(src|test)/', pathNot: '^$1/' },
    },
    {
      name: 'no-relative-path-to-built-files',
      comment: 'Only the exports map of a package names its built files.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|demo|e2e|examples)/' },
      to: {
        path: '^packages/[^/]+/dist/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased'],
      },
    },
    {
      name: 'scripted-service-only-in-tests',
      comment:
        "Tests, benchmarks, e2e, the kit for callers and the Express kit's helpers for tests import the fake of the service. Nothing that runs in production does.",
      severity: 'error',
      from: {
        path: '^(packages/[^/]+/src|demo|examples)/',
        pathNot: [inside('conformance'), '^packages/express/src/testing/'],
      },
      to: { path: SCRIPTED_SERVICE },
    },
    {
      name: 'sources-import-no-scripts',
      comment: 'Tests and benchmarks may: scripts/ finds the browsers.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^scripts/' },
    },

    // Arrows between folders.
    ...Object.entries(SERVER_WINGS).map(([wing, allowed]) => ({
      name: `server-${wing}-imports-only-${allowed.join('-and-') || 'itself'}`,
      severity: 'error',
      from: { path: `^packages/server/src/${wing}/` },
      to: {
        path: '^packages/server/src/',
        pathNot: [wing, ...allowed].map((name) => `^packages/server/src/${name}/`),
      },
    })),
    {
      name: 'server-rules-and-queries-import-no-pages',
      severity: 'error',
      from: { path: FEATURES, pathNot: PAGES },
      to: { path: [`${FEATURES}.*${PAGES}`, '^packages/server/src/web/'] },
    },
    {
      name: 'server-api-and-web-import-no-pages',
      severity: 'error',
      from: { path: '^packages/server/src/(?:api|web)/' },
      to: { path: `${FEATURES}.*${PAGES}` },
    },
    {
      name: 'server-pages-import-only-their-own-and-shared-pages',
      comment:
        'The pages of a feature can be read without those of others, besides the proof of identity and the lists of invitations, members and payments. An area lists the routes of all its features.',
      severity: 'error',
      from: { path: `${FEATURES}([^/]+)/.*${PAGES}`, pathNot: `${FEATURES}(?:${AREAS})/` },
      to: {
        path: `${FEATURES}.*${PAGES}`,
        pathNot: [`${FEATURES}$1/`, `${FEATURES}(?:sign-in|invitations|memberships|checkout)/`],
      },
    },
    {
      name: 'server-areas-import-no-other-area',
      severity: 'error',
      from: { path: `${FEATURES}(${AREAS})/.*${PAGES}` },
      to: { path: `${FEATURES}(?:${AREAS})/.*${PAGES}`, pathNot: `${FEATURES}$1/` },
    },
    ...Object.entries(FOLDERS).flatMap(([path, folders]) => [
      ...folders.slice(0, -1).map((folder, index) => ({
        name: `${nameOf(path)}-${folder}-imports-only-lower-folders`,
        severity: 'error',
        // The pages of a feature show what higher features know. The rules for pages, above, give them their order.
        from: { path: `^${path}/${folder}/`, pathNot: `${FEATURES}.*${PAGES}` },
        to: { path: `^${path}/(?:${folders.slice(index + 1).join('|')})/` },
      })),
      {
        name: `${nameOf(path)}-has-only-listed-folders`,
        comment: 'A new folder needs a place in the order of the folders.',
        severity: 'error',
        from: { path: `^${path}/` },
        to: { path: `^${path}/[^/]+/`, pathNot: `^${path}/(?:${folders.join('|')})/` },
      },
    ]),
    {
      name: 'no-folder-cycles',
      comment:
        'Folders import each other in one direction only, even where their files form no cycle. A feature has two layers in one folder, so the rules for pages and the order of the folders stand for this one.',
      severity: 'error',
      scope: 'folder',
      from: { path: anySource, pathNot: TWO_LAYERS },
      to: { path: anySource, pathNot: TWO_LAYERS, circular: true },
    },
    {
      name: 'no-import-from-parent-folder',
      comment:
        'A folder imports its subfolders, never the reverse. The files of platform/ itself import no folder.',
      severity: 'error',
      from: { path: `(${anySource}/.*)(?<=/)[^/]+/[^/]+$` },
      to: { path: '^$1[^/]+$', pathNot: '^packages/server/src/platform/[^/]+$' },
    },
    {
      name: 'server-platform-files-import-no-folder',
      severity: 'error',
      from: { path: '^packages/server/src/platform/[^/]+$' },
      to: { path: '^packages/server/src/platform/[^/]+/' },
    },
    {
      name: 'no-import-from-package-root',
      comment: "The files at a package's root compose its folders.",
      severity: 'error',
      from: { path: `(${anySource}/)[^/]+/` },
      to: { path: '^$1[^/]+$' },
    },

    // Dependencies from outside the repository.
    {
      name: 'contract-needs-only-zod',
      severity: 'error',
      from: { path: source('contract') },
      to: { path: '^node_modules/', pathNot: '^node_modules/zod/' },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'A dependency missing from package.json breaks the published package.',
      severity: 'error',
      // The console is private, and Vite bundles what it imports.
      from: { path: '^(packages/[^/]+|demo)/src/', pathNot: inside('console') },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'browser-code-imports-the-contract-without-zod',
      comment: 'zod alone is larger than the whole widget. Types and the constants entry cost nothing.',
      severity: 'error',
      from: { path: '^packages/((oauth|widget)/src/|conformance/src/scripted-service)' },
      to: {
        path: '^packages/contract/',
        pathNot: '/constants\\.(js|ts|d\\.ts)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-imports-only-types-of-other-packages',
      comment:
        'Besides types, the console needs the client of the control API, constants of the contract and styles of the pages.',
      severity: 'error',
      from: { path: '^packages/console/src/' },
      to: {
        path: '^packages/(?!console/)',
        pathNot:
          '^packages/(contract/.*/constants|server/(src|dist)/styles|sandbox/.*/client)\\.(js|ts|d\\.ts)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-code-imports-no-node-module',
      severity: 'error',
      from: {
        path: '^packages/((oauth|widget|console|contract)/src/|conformance/src/scripted-service(?!/http-server|\\.ts))',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-testing-in-production',
      comment: 'The testing entry signs users in without their consent.',
      severity: 'error',
      from: { path: '^packages/express/src/', pathNot: '^packages/express/src/testing(/|\\.ts$)' },
      to: { path: '^packages/express/src/testing(/|\\.ts$)' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    // dependency-cruiser can't read Vue and Svelte files, nor constants in declarations. A test next to its source imports higher folders too, so import-rules.test.ts
    // checks these tests. app/services.ts is a list of types: it names services of all wings, and all wings name it.
    // import-rest.ts and rest.ts name what the widget loads after its first paint, from the folders above theirs.
    exclude: {
      path: '(^|/)(dist-test|test-results|coverage|public)/|^e2e/frameworks/|\\.(vue|svelte)$|^packages/[^/]+/src/.*\\.test\\.tsx?$|^packages/[^/]+/bench/.*\\.d\\.mts$|^packages/server/src/app/services\\.ts$|^packages/widget/src/(?:sign-in/import-rest|element/rest)\\.ts$',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts', '.json'],
    },
  },
};
