// The arrows of ARCHITECTURE.md, as rules. Workspace packages resolve to packages/*/dist through their exports maps.
const inside = (name) => `^packages/${name}/`;
const source = (name) => `^packages/${name}/(src|bench)/`;

/** Which packages the source of each package may import, besides its own files. */
const ARROWS = {
  contract: [],
  oauth: ['contract'],
  client: ['contract'],
  widget: ['oauth', 'contract'],
  express: ['oauth', 'client', 'contract'],
  server: ['contract'],
  cli: ['server', 'contract'],
};

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...Object.entries(ARROWS).map(([name, allowed]) => ({
      name: `${name}-imports-only-${allowed.join('-and-') || 'itself'}`,
      severity: 'error',
      from: { path: source(name) },
      to: { path: '^(packages|demo|e2e|examples)/', pathNot: [name, ...allowed].map(inside) },
    })),
    {
      name: 'sources-import-no-scripts',
      comment: 'Tests and benchmarks may: a browser is found there.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'contract-needs-only-zod',
      severity: 'error',
      from: { path: source('contract') },
      to: { path: '^node_modules/', pathNot: '^node_modules/zod/' },
    },
    {
      name: 'no-undeclared-dependency',
      comment:
        "What is imported stands in the importing package's own package.json, or its published form breaks.",
      severity: 'error',
      from: { path: '^(packages/[^/]+|demo)/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'browser-code-takes-the-contract-without-zod',
      comment: 'zod alone is larger than the whole widget; types and the constants entry cost nothing.',
      severity: 'error',
      from: { path: '^packages/(oauth|widget)/src/' },
      to: {
        path: '^packages/contract/',
        pathNot: '/constants\\.(js|ts|d\\.ts)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-code-imports-no-node-module',
      severity: 'error',
      from: { path: '^packages/(oauth|widget|contract)/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-testing-in-production',
      comment: 'What signs people in without asking them is reached by its own entry only.',
      severity: 'error',
      from: { path: '^packages/express/src/', pathNot: '^packages/express/src/testing(/|\\.ts$)' },
      to: { path: '^packages/express/src/testing(/|\\.ts$)' },
    },
    {
      name: 'no-reaching-into-another-package',
      comment: 'Packages meet at their public entries; relative paths stay inside.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|demo|e2e|examples)/' },
      to: { path: '^(packages/[^/]+|demo)/(src|test)/', pathNot: '^$1/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    // Vue's and Svelte's own files are no JavaScript that it could read.
    exclude: { path: '(^|/)(dist-test|test-results|coverage|public)/|\\.(vue|svelte)$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts', '.json'],
    },
  },
};
