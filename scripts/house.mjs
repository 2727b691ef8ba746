// Measures the structure and the language of the code: `npm run house [-- --root <checkout>] [--verbose]`.
// `--verbose` also lists each finding.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './command.mjs';
import { commandOptions } from './command-options.mjs';
import { countExports } from './house/exports.mjs';
import { arrowsUp, folderCycles, readFolderGraphs } from './house/folder-graph.mjs';
import { longFunctions } from './house/functions.mjs';
import { commentsOf, identifiersOf } from './language/prose.mjs';
import { BANNED_OPENINGS, bannedOpeningOf, checkLanguage } from './language/rules.mjs';
import { listSourceFiles, parseSourceFile } from './source-files.mjs';

/** A file of more lines than this should be split, unless it is a table, a schema or a list of messages. */
const MAX_FILE_LINES = 300;
/** A function of more lines than this should be split. */
const MAX_FUNCTION_LINES = 60;

/** Files that hold data rather than logic: tables, schemas, messages, migrations, styles. */
const DATA_FILE =
  /(messages|migrations|requirements|styles)(\/|\.tsx?$)|schema|openapi|fixtures|reference\/examples/;
const TEST_FILE = /(^|\/)(test|bench|e2e)\//;

/** Names that a review found hard to understand, each as a part of an identifier. */
const REVIEWED_NAMES =
  /^(Visit|visit|Kit|kit|Outsider|HELD|TAKEN_MS|Pass|Verdict|Fault)$|Outsider|passMembers|Insist|insist|[Kk]eepsake|toldOfEnd|unfailing|^answering|admitDelay|WaitingLine|WriteLane|travelsUnread|leaveBehind|popupIsHopeless|sendNothingHere|claimDatabase|[bB]uyerLines/;

const { values: options } = commandOptions('npm run house [-- --root <checkout>] [--verbose]', {
  options: { root: { type: 'string', default: ROOT }, verbose: { type: 'boolean', default: false } },
});
const root = resolve(options.root);
const packages = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'src')),
);
const sources = listSourceFiles([], root).map((file) => parseSourceFile(file, root));

await printFolders();
printFiles();
printFunctions();
printLanguage();
printPackages();

async function printFolders() {
  const graphs = await readFolderGraphs(root, packages);
  const rows = [...graphs].map(([name, graph]) => {
    const up = arrowsUp(graph);
    const cycles = folderCycles(graph);
    return {
      package: name,
      folders: graph.size,
      'folders with arrows up': new Set(up.map(([from]) => from)).size,
      'arrows up': up.length,
      'folder cycles': cycles.length,
      'folders in cycles': cycles.flat().length,
      list: up.map(([from, to]) => `${from} -> ${to}`),
    };
  });
  print(
    'Folders (arrows up: imports between folders that point up in the best order of the folders)',
    rows,
    true,
  );
}

function printFiles() {
  const long = sources
    .map(({ file, text }) => ({ file, lines: countLines(text) }))
    .filter(({ lines }) => lines > MAX_FILE_LINES)
    .sort((a, b) => b.lines - a.lines);
  const groups = {
    'logic in packages': ({ file }) =>
      !TEST_FILE.test(file) && !DATA_FILE.test(file) && file.startsWith('packages/'),
    'logic elsewhere': ({ file }) =>
      !TEST_FILE.test(file) && !DATA_FILE.test(file) && !file.startsWith('packages/'),
    'tables, schemas, messages': ({ file }) => !TEST_FILE.test(file) && DATA_FILE.test(file),
    tests: ({ file }) => TEST_FILE.test(file),
  };
  const rows = Object.entries(groups).map(([group, belongs]) => {
    const files = long.filter(belongs);
    return { files: group, count: files.length, list: files.map(({ file, lines }) => `${lines} ${file}`) };
  });
  print(`Files over ${MAX_FILE_LINES} lines`, rows);
}

function printFunctions() {
  const long = sources.flatMap((source) => longFunctions(source, MAX_FUNCTION_LINES));
  const rows = [
    ['sources', long.filter(({ file }) => !TEST_FILE.test(file))],
    ['tests and benchmarks', long.filter(({ file }) => TEST_FILE.test(file))],
  ].map(([where, found]) => ({
    where,
    functions: found.length,
    list: found.map(({ file, line, name, lines }) => `${lines} ${file}:${line} ${name}`),
  }));
  print(`Functions over ${MAX_FUNCTION_LINES} lines`, rows);
}

function printLanguage() {
  const docstrings = sources.flatMap((source) =>
    commentsOf(source).filter(({ kind }) => kind === 'docstring'),
  );
  const openings = docstrings.map(({ text }) => bannedOpeningOf(text));
  print(`Docstrings by opening word (of ${docstrings.length})`, [
    ...BANNED_OPENINGS.map((opening) => ({
      opening,
      docstrings: openings.filter((found) => found === opening).length,
    })),
  ]);
  const violations = sources.flatMap((source) => checkLanguage(source));
  const rules = [...new Set(violations.map(({ rule }) => rule))].filter((rule) => !rule.startsWith('opens'));
  print(
    'Long docstring sentences and banned words',
    rules.sort().map((rule) => {
      const found = violations.filter((violation) => violation.rule === rule);
      return { rule, count: found.length, list: found.map(({ file, line }) => `${file}:${line}`) };
    }),
  );
  const reviewed = sources.flatMap(({ file, ...source }) =>
    identifiersOf(source)
      .filter(({ name }) => REVIEWED_NAMES.test(name))
      .map(({ name }) => `${name} ${file}`),
  );
  print('Names of the review', [{ names: 'identifiers by file', count: reviewed.length, list: reviewed }]);
}

function printPackages() {
  const lines = (folder) =>
    sources
      .filter(({ file }) => file.startsWith(folder))
      .reduce((sum, { text }) => sum + countLines(text), 0);
  const rows = packages.map((name) => {
    const { values, types } = countExports(root, name);
    return {
      package: name,
      'source lines': lines(`packages/${name}/src/`),
      'test lines': lines(`packages/${name}/test/`),
      'bench lines': lines(`packages/${name}/bench/`),
      'exported values': values,
      'exported types': types,
    };
  });
  const others = ['demo', 'e2e', 'examples', 'scripts'].map((name) => ({
    package: name,
    'source lines': lines(`${name}/`),
  }));
  print('Lines and exports', [...rows, ...others, { package: 'all', 'source lines': lines('') }]);
}

/** Prints a table, and the list of each row if it is wanted. */
function print(title, rows, alwaysList = false) {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'list');
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)));
  console.log(`\n${title}`);
  for (const row of cells)
    console.log(`  ${row.map((cell, index) => cell.padEnd(widths[index])).join('  ')}`.trimEnd());
  if (!options.verbose && !alwaysList) return;
  for (const { list = [] } of rows) for (const item of list) console.log(`    ${item}`);
}

function countLines(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
