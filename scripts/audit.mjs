// `npm run audit`: checks package-lock.json against the advisories of the registry. Fails for an advisory about a package that
// our packages install, and for a critical one about any other. A registry without advisories, or none in reach, is
// reported as skipped: the check then says nothing about the packages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=1'];
const { output } = await run('npm', args, { quiet: true });
const result = parse(output.slice(Math.max(0, output.indexOf('{')), output.lastIndexOf('}') + 1));

if (result?.vulnerabilities === undefined) {
  const reason = result?.error?.summary || result?.message || output.trim().split('\n').at(-1) || 'no answer';
  console.warn(`SKIPPED: no audit. The registry served no advisories: ${reason}.`);
  console.warn(
    'The packages are unchecked. Run "npm run audit" again with a registry that serves advisories.',
  );
} else {
  const findings = Object.values(result.vulnerabilities).map(findingOf);
  for (const { name, severity, isPublished, causes } of findings) {
    console.log(`${severity}, ${isPublished ? 'published' : 'development only'}: ${name}`);
    for (const cause of causes) console.log(`  ${cause}`);
  }
  const failing = findings.filter(({ severity, isPublished }) => isPublished || severity === 'critical');
  console.log(`${findings.length} packages with advisories, ${failing.length} of them must be updated.`);
  process.exitCode = failing.length > 0 ? 1 : 0;
}

function findingOf({ name, severity, via, nodes }) {
  return {
    name,
    severity,
    isPublished: nodes.some((path) => path.includes('node_modules/') && packages[path]?.dev !== true),
    causes: via.map((cause) =>
      typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`,
    ),
  };
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
