// Measures how much there is to read: `npm run house [-- --root <checkout>] [--verbose]`. `--verbose` also lists the files with one
// importer. Import directions and cycles are the business of .dependency-cruiser.mjs.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from './command.mjs';
import { commandOptions } from './command-options.mjs';

/** A file below this many lines should have two importers, or a test of its own. */
const SMALL_FILE_LINES = 80;

const { values: options } = commandOptions('npm run house [-- --root <checkout>] [--verbose]', {
  options: { root: { type: 'string', default: ROOT }, verbose: { type: 'boolean', default: false } },
});
const root = resolve(options.root);
const sources = globSync(['{packages,demo,e2e,examples,scripts}/**/*.{ts,tsx,mts,mjs,js}'], {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|dist-test)$/.test(path),
}).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const linesOf = (files) => files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
const isTest = ({ file }) => /(^|\/)(test|bench|soak)\/|\.(test|spec|look)\.tsx?$/.test(file);

printPackages();
printOthers();
printJourneys();
printWords();

/** Words of the documents: prose, tables and code in sentences, without code blocks and the bars of tables. */
function printWords() {
  const exclude = (path) => /(^|\/)(node_modules|dist|test-results)$/.test(path);
  const texts = globSync('**/*.md', { cwd: root, exclude }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const prose = texts
    .join('\n')
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll('|', ' ');
  print([{ Markdown: 'all', words: prose.replaceAll(/^[\s:-]+$/gm, '').match(/\S+/g).length }]);
}

/** Lines and files of each package, and its files that only one other source file imports. */
function printPackages() {
  const packages = [...new Set(sources.map(({ file }) => /^packages\/([^/]+)\/src\//.exec(file)?.[1]))];
  const importers = importersOf(sources);
  const rows = packages.filter(Boolean).map((name) => {
    const own = sources.filter(
      (source) => source.file.startsWith(`packages/${name}/src/`) && !isTest(source),
    );
    const once = own.filter(
      ({ file }) => [...(importers.get(file) ?? [])].filter((from) => from.includes('/src/')).length === 1,
    );
    const small = once.filter(
      (source) => linesOf([source]) < SMALL_FILE_LINES && importers.get(source.file).size === 1,
    );
    return {
      'packages/*/src': name,
      lines: linesOf(own),
      files: own.length,
      'one importer': once.length,
      [`of these under ${SMALL_FILE_LINES} lines, untested`]: small.length,
      list: small.map(({ file }) => file),
    };
  });
  print([...rows, totalOf(rows)]);
  if (options.verbose) for (const { list } of rows) for (const file of list) console.log(`  ${file}`);
}

function printOthers() {
  const rows = ['demo', 'e2e', 'examples', 'scripts'].map((folder) => ({
    'elsewhere, without tests': folder,
    lines: linesOf(sources.filter((source) => source.file.startsWith(`${folder}/`) && !isTest(source))),
  }));
  const tests = sources.filter(isTest);
  print([...rows, { 'elsewhere, without tests': 'tests and benchmarks of all', lines: linesOf(tests) }]);
}

/** The files that a reader opens to follow a request, as the sections "One …" of ARCHITECTURE.md list them. */
function printJourneys() {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const sections = architecture.split(/^## /m).filter((section) => section.startsWith('One '));
  const rows = sections.map((text) => {
    const journey = text.slice(0, text.indexOf('\n'));
    const files = new Set(text.match(/packages\/[\w./-]+\.tsx?/g));
    const missing = [...files].filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0)
      console.error(`ARCHITECTURE.md lists files that do not exist: ${missing.join(', ')}`);
    return { journey, files: files.size };
  });
  print(rows);
}

/** Maps each file to the files that import it by a relative path. */
function importersOf(all) {
  const files = new Set(all.map(({ file }) => file));
  const importers = new Map();
  for (const { file, text } of all) {
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const target = join(dirname(file), path);
      const found = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].find((name) =>
        files.has(name),
      );
      if (found) importers.set(found, (importers.get(found) ?? new Set()).add(file));
    }
  }
  return importers;
}

function totalOf(rows) {
  const total = { ...rows[0], list: [] };
  for (const [column, value] of Object.entries(total)) {
    if (typeof value === 'number') total[column] = rows.reduce((sum, row) => sum + row[column], 0);
    else if (typeof value === 'string') total[column] = 'all';
  }
  return total;
}

function print(rows) {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'list');
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)));
  console.log();
  for (const row of cells)
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    );
}
