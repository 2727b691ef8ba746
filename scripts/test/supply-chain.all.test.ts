import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The part of a package.json that these tests read. */
interface Manifest {
  name: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}

/** Entry of package-lock.json. */
interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const published = globSync('packages/*/package.json', { cwd: ROOT })
  .map((path) => ({
    folder: basename(dirname(path)),
    manifest: JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);

/** Dependencies of our packages other than each other, with the folders that use them. */
const used = new Map<string, string[]>();
for (const { folder, manifest } of published) {
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (!name.startsWith('@latchkey/')) used.set(name, [...(used.get(name) ?? []), folder]);
  }
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/** Everything that is installed with our packages. */
const installed = Object.entries(lock.packages).filter(
  ([path, entry]) => path.includes('node_modules/') && entry.link !== true && entry.dev !== true,
);

const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');

describe('dependencies of our packages', () => {
  it('are listed in docs/dependencies.md with the packages that use them and a reason', () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(
      ([, name, by, reason]) => ({
        name,
        by: by
          ?.split(', ')
          .map((folder) => folder.trim())
          .sort(),
        hasReason: (reason?.trim().length ?? 0) > 3,
      }),
    );
    const expected = [...used].map(([name, by]) => ({ name, by: by.sort(), hasReason: true }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      (a.name ?? '').localeCompare(b.name ?? '');
    expect(rows.sort(byName)).toEqual(expected.sort(byName));
  });

  it('and all that they install have a licence that the page lists', () => {
    const listed = /## Licences\n\n(.+)/.exec(page)?.[1] ?? '';
    const allowed = new Set(listed.slice(0, listed.indexOf('. ')).split(/, | and /));
    expect(allowed.size).toBeGreaterThan(3);
    const others = installed.filter(([, { license }]) => !allowed.has(license ?? ''));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it('and all that they install run no script at installation', () => {
    expect(installed.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path)).toEqual([]);
    const scripts = published.flatMap(({ manifest }) => Object.keys(manifest.scripts ?? {}));
    expect(scripts.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  it('and all that they install are locked to a checksum', () => {
    expect(installed.length).toBeGreaterThan(used.size);
    const loose = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});

describe('packages with a script that runs when they are installed', () => {
  const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest & {
    allowScripts: Record<string, boolean>;
  };
  const withScript = Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

  it('are each allowed or forbidden by name, so that npm asks nothing', () => {
    expect(withScript.filter((name) => allowScripts[name] === undefined)).toEqual([]);
  });

  it('are all installed, so that no old permission remains', () => {
    expect(Object.keys(allowScripts).filter((name) => !withScript.includes(name))).toEqual([]);
  });
});

describe('release', () => {
  it('publishes with provenance, which npm signs for the repository of each package', () => {
    const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
    expect(workflow).toContain('id-token: write');
    for (const { folder, manifest } of published) {
      expect(manifest, folder).toMatchObject({
        repository: { type: 'git', directory: `packages/${folder}` },
        publishConfig: { access: 'public', provenance: true },
      });
    }
  });

  it('raises the versions of all packages together', () => {
    const { fixed, access } = JSON.parse(readFileSync(join(ROOT, '.changeset/config.json'), 'utf8')) as {
      fixed: string[][];
      access: string;
    };
    const together = /\{(.*)\}/.exec(fixed[0]?.[0] ?? '')?.[1]?.split(',');
    expect(together?.sort()).toEqual(published.map(({ folder }) => folder).sort());
    expect(access).toBe('public');
  });
});

describe('bill of materials', () => {
  it('names every installed package with its version', async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { group?: string; name: string; version: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const missing = installed.filter(([path, { version }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return !named.has(`${name}@${version}`);
    });
    expect(missing.map(([path]) => path)).toEqual([]);
  }, 60_000);
});
