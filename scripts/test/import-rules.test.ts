import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import configuration from '../../.dependency-cruiser.mjs';

interface Planted {
  readonly rule: string;
  /** Path of the file that holds the forbidden import. */
  readonly file: string;
  readonly imports: string;
  /** Other files that the case needs. */
  readonly files?: Readonly<Record<string, string>>;
  /** Path that the report names, if it is not the file. */
  readonly reported?: string;
}

const PACKAGES = [
  'contract',
  'oauth',
  'client',
  'widget',
  'express',
  'server',
  'sandbox',
  'console',
  'conformance',
  'stripe',
  'cli',
];

/** The arrows between packages turned round: imports that each package must not contain. */
const FORBIDDEN_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'contract-imports-only-itself': ['oauth', 'client', 'widget', 'express', 'server', 'sandbox', 'cli'],
  'oauth-imports-only-contract': ['client', 'widget', 'express', 'server', 'sandbox', 'cli'],
  'client-imports-only-contract': ['oauth', 'widget', 'express', 'server', 'sandbox', 'cli'],
  'widget-imports-only-oauth-and-contract': ['client', 'express', 'server', 'sandbox', 'cli'],
  'express-imports-only-oauth-and-client-and-contract': ['widget', 'server', 'sandbox', 'cli'],
  'server-imports-only-contract': ['oauth', 'client', 'widget', 'express', 'sandbox', 'stripe', 'cli'],
  'sandbox-imports-only-server-and-contract': ['oauth', 'client', 'widget', 'express', 'stripe', 'cli'],
  'console-imports-only-sandbox-and-server-and-contract': ['oauth', 'client', 'widget', 'express', 'cli'],
  'conformance-imports-only-contract': ['oauth', 'client', 'widget', 'express', 'server', 'sandbox', 'cli'],
  'stripe-imports-only-server': [
    'contract',
    'oauth',
    'client',
    'widget',
    'express',
    'sandbox',
    'conformance',
    'cli',
  ],
  'cli-imports-only-server-and-sandbox-and-conformance-and-stripe-and-contract': [
    'oauth',
    'client',
    'widget',
    'express',
  ],
};

/** The arrows between the wings of the server turned round. */
const FORBIDDEN_WINGS: Readonly<Record<string, readonly string[]>> = {
  'server-migrations-imports-only-itself': ['platform', 'features', 'api', 'web', 'app'],
  'server-platform-imports-only-migrations': ['features', 'api', 'web', 'app'],
  'server-features-imports-only-web-and-platform-and-migrations': ['api', 'app'],
  'server-api-imports-only-features-and-platform': ['web', 'app'],
  'server-web-imports-only-features-and-platform': ['api', 'app'],
  'server-app-imports-only-api-and-web-and-features-and-platform': ['other'],
};

/** The folders of a package, the lowest first. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
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

const PLANTED: readonly Planted[] = [
  ...Object.entries(FOLDERS).flatMap(([path, folders]) => {
    const name = path.replace('packages/', '').replace('/src', '').replaceAll('/', '-');
    const upwards = folders.slice(0, -1).map((folder, index) => ({
      rule: `${name}-${folder}-imports-only-lower-folders`,
      file: `${path}/${folder}/upwards.ts`,
      imports: `../${folders[index + 1]}/target.js`,
      files: { [`${path}/${folders[index + 1]}/target.ts`]: '' },
    }));
    const unlisted = {
      rule: `${name}-has-only-listed-folders`,
      file: `${path}/${folders[0]}/unlisted.ts`,
      imports: '../unlisted/target.js',
      files: { [`${path}/unlisted/target.ts`]: '' },
    };
    return [...upwards, unlisted];
  }),
  ...Object.entries(FORBIDDEN_PACKAGES).flatMap(([rule, targets]) =>
    targets.map((target) => ({
      rule,
      file: `packages/${rule.split('-imports-')[0]}/src/imports-${target}.ts`,
      imports: `@latchkey/${target}`,
    })),
  ),
  ...Object.entries(FORBIDDEN_WINGS).flatMap(([rule, targets]) =>
    targets.map((target) => ({
      rule,
      file: `packages/server/src/${rule.split('-')[1]}/imports-${target}.ts`,
      imports: `../${target}/target.js`,
      files: { [`packages/server/src/${target}/target.ts`]: '' },
    })),
  ),
  {
    rule: 'no-cycles',
    file: 'packages/oauth/src/one.ts',
    imports: './two.js',
    files: { 'packages/oauth/src/two.ts': "import './one.js';" },
  },
  { rule: 'no-unresolvable', file: 'packages/oauth/src/lost.ts', imports: './missing.js' },
  {
    rule: 'no-reaching-into-another-package',
    file: 'packages/widget/src/reaching.ts',
    imports: '../../oauth/src/index.js',
  },
  {
    rule: 'no-relative-path-to-built-files',
    file: 'demo/src/built.ts',
    imports: '../../packages/server/dist/index.js',
  },
  {
    rule: 'scripted-service-only-in-tests',
    file: 'packages/widget/src/fake.ts',
    imports: '@latchkey/conformance/scripted-service',
  },
  {
    rule: 'sources-import-no-scripts',
    file: 'packages/cli/src/script.ts',
    imports: '../../../scripts/start.mjs',
    files: { 'scripts/start.mjs': '' },
  },
  {
    rule: 'no-folder-cycles',
    file: 'packages/widget/src/browser/leader.ts',
    imports: '../session/token.js',
    files: {
      'packages/widget/src/browser/lock.ts': '',
      'packages/widget/src/session/token.ts': '',
      'packages/widget/src/session/renewal.ts': "import '../browser/lock.js';",
    },
    reported: 'packages/widget/src/browser',
  },
  {
    rule: 'no-import-from-parent-folder',
    file: 'packages/widget/src/login/styles/button.ts',
    imports: '../gate.js',
    files: { 'packages/widget/src/login/gate.ts': '' },
  },
  {
    rule: 'server-rules-and-queries-import-no-pages',
    file: 'packages/server/src/features/plans/rule.ts',
    imports: './rule.pages.js',
    files: { 'packages/server/src/features/plans/rule.pages.tsx': '' },
  },
  {
    rule: 'server-rules-and-queries-import-no-pages',
    file: 'packages/server/src/features/plans/query.ts',
    imports: '../../web/kit/frame/frame.js',
    files: { 'packages/server/src/web/kit/frame/frame.ts': '' },
  },
  ...['api/endpoint.ts', 'web/kit.ts'].map((file) => ({
    rule: 'server-api-and-web-import-no-pages',
    file: `packages/server/src/${file}`,
    imports: '../features/plans/plain.routes.js',
    files: { 'packages/server/src/features/plans/plain.routes.ts': '' },
  })),
  {
    rule: 'server-pages-import-only-their-own-and-shared-pages',
    file: 'packages/server/src/features/plans/other-feature.pages.tsx',
    imports: '../drops/target.pages.js',
    files: { 'packages/server/src/features/drops/target.pages.tsx': '' },
  },
  {
    rule: 'server-areas-import-no-other-area',
    file: 'packages/server/src/features/seller/other-area.routes.ts',
    imports: '../account/target.pages.js',
    files: { 'packages/server/src/features/account/target.pages.tsx': '' },
  },
  {
    rule: 'server-platform-files-import-no-folder',
    file: 'packages/server/src/platform/clock.ts',
    imports: './http/router.js',
    files: { 'packages/server/src/platform/http/router.ts': '' },
  },
  {
    rule: 'no-import-from-package-root',
    file: 'packages/widget/src/login/login.ts',
    imports: '../define.js',
    files: { 'packages/widget/src/define.ts': '' },
  },
  { rule: 'contract-needs-only-zod', file: 'packages/contract/src/lit.ts', imports: 'lit' },
  { rule: 'no-undeclared-dependency', file: 'packages/oauth/src/lit.ts', imports: 'lit' },
  {
    rule: 'browser-code-imports-the-contract-without-zod',
    file: 'packages/widget/src/schemas.ts',
    imports: '@latchkey/contract',
  },
  {
    rule: 'console-imports-only-types-of-other-packages',
    file: 'packages/console/src/sandbox.ts',
    imports: '@latchkey/sandbox',
  },
  {
    rule: 'browser-code-imports-no-node-module',
    file: 'packages/widget/src/node-module.ts',
    imports: 'node:fs',
  },
  {
    rule: 'no-testing-in-production',
    file: 'packages/express/src/latchkey.ts',
    imports: './testing/sign-in.js',
    files: { 'packages/express/src/testing/sign-in.ts': '' },
  },
];

/** Imports in the allowed direction, which no rule may report. */
const ALLOWED: readonly (readonly [file: string, imports: string])[] = [
  ['packages/oauth/src/index.ts', '@latchkey/contract/constants'],
  ['packages/client/src/allowed.ts', '@latchkey/contract'],
  ['packages/widget/src/allowed.ts', '@latchkey/oauth'],
  ['packages/express/src/allowed.ts', '@latchkey/client'],
  ['packages/sandbox/src/allowed.ts', '@latchkey/server'],
  ['packages/cli/src/allowed.ts', '@latchkey/sandbox'],
  ['packages/console/src/allowed.ts', '@latchkey/sandbox/client'],
  ['packages/contract/src/allowed.ts', 'zod'],
  ['packages/widget/bench/allowed.ts', '@latchkey/conformance/scripted-service'],
  ['packages/express/src/testing/allowed.ts', '@latchkey/conformance/scripted-service'],
  ['demo/src/allowed.ts', '@latchkey/server'],
  ['packages/server/src/features/plans/allowed.pages.tsx', '../drops/target.js'],
  ['packages/server/src/features/plans/shared.pages.tsx', '../checkout/allowed.pages.js'],
  ['packages/server/src/features/checkout/allowed.pages.tsx', '../../web/kit/frame/frame.js'],
];

const tree = mkdtempSync(join(tmpdir(), 'latchkey-import-rules-'));
let violations: { rule: string; from: string }[] = [];

beforeAll(async () => {
  for (const name of PACKAGES) plantPackage(name);
  plantDependency('lit');
  plantDependency('zod');
  plantManifest('demo', 'demo', ['@latchkey/server']);
  for (const { file, imports, files = {} } of PLANTED) {
    for (const [path, text] of Object.entries(files)) plant(path, text);
    plant(file, `import '${imports}';`);
  }
  for (const [file, imports] of ALLOWED) plant(file, `import '${imports}';`);
  const { output } = await cruise(['packages', 'demo'], {
    ...configuration.options,
    baseDir: tree,
    ruleSet: { forbidden: configuration.forbidden },
    validate: true,
  });
  const result = output as ICruiseResult;
  violations = result.summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}, 60_000);
afterAll(() => rmSync(tree, { recursive: true }));

describe('an import against the arrows breaks a rule', () => {
  it.each(PLANTED)('$rule: $file must not import $imports', ({ rule, file, reported = file }) => {
    expect(violations).toContainEqual({ rule, from: reported });
  });
});

describe('an import along the arrows breaks no rule', () => {
  it.each(ALLOWED)('%s may import %s', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([]);
  });
});

it('proves every rule of the configuration', () => {
  const proved = new Set(PLANTED.map(({ rule }) => rule));
  expect(configuration.forbidden.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
});

it("the list of the server's services has types only, and the platform doesn't import it", () => {
  const server = join(import.meta.dirname, '../../packages/server/src');
  const services = readFileSync(join(server, 'app/services.ts'), 'utf8');
  expect(services.match(/^import /gm)?.length).toBeGreaterThan(10);
  expect(services).not.toMatch(/^import (?!type )|^export (?!interface |type )/m);
  const platform = globSync('platform/**/*.{ts,tsx}', { cwd: server });
  expect(platform.length).toBeGreaterThan(40);
  expect(
    platform.filter((file) => readFileSync(join(server, file), 'utf8').includes('app/services')),
  ).toEqual([]);
});

it('a test next to its source reaches neither into another package nor into built files', () => {
  const root = join(import.meta.dirname, '../..');
  const tests = globSync('packages/*/src/**/*.test.{ts,tsx}', { cwd: root });
  const imports = tests.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/'(\.{1,2}\/[^']+\.m?js)'/g)].map(
      ([, path = '']) => ({
        file,
        target: join(dirname(file), path),
      }),
    ),
  );
  const isAllowed = (file: string, target: string) =>
    target.startsWith('scripts/') ||
    /^packages\/[^/]+\/(src|test)\//.exec(target)?.[0].split('/')[1] === file.split('/')[1];
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter(({ file, target }) => !isAllowed(file, target))).toEqual([]);
});

/** Plants a workspace package with a built entry and a source entry. */
function plantPackage(name: string): void {
  const folder = `packages/${name}`;
  plantManifest(
    folder,
    `@latchkey/${name}`,
    PACKAGES.map((other) => `@latchkey/${other}`),
  );
  for (const entry of ['index', 'client', 'constants', 'scripted-service'])
    plant(`${folder}/dist/${entry}.js`, 'export const a = 1;');
  plant(`${folder}/src/index.ts`, 'export const a = 1;');
  mkdirSync(join(tree, 'node_modules/@latchkey'), { recursive: true });
  symlinkSync(join(tree, folder), join(tree, 'node_modules/@latchkey', name), 'dir');
}

function plantManifest(folder: string, name: string, dependencies: readonly string[]): void {
  const manifest = {
    name,
    type: 'module',
    exports: { '.': './dist/index.js', './*': './dist/*.js' },
    dependencies: Object.fromEntries(['zod', ...dependencies].map((dependency) => [dependency, '1.0.0'])),
  };
  plant(`${folder}/package.json`, JSON.stringify(manifest));
}

function plantDependency(name: string): void {
  const folder = `node_modules/${name}`;
  plant(`${folder}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }));
  plant(`${folder}/index.js`, 'export const a = 1;');
}

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}
