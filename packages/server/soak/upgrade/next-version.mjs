// Turns the built server into its next version when it is loaded: node --import ./next-version.mjs. The next version has more
// migrations. It writes the table that one of them adds, and does not use the column that another one drops.
import { registerHooks } from 'node:module';
import process from 'node:process';

const NEXT_MIGRATIONS = new URL('next-migrations.ts', import.meta.url).href;

/**
 * Replacements in the built files. Each pattern occurs once.
 *
 * @type {[RegExp, string][]}
 */
const CHANGES = [
  [
    /((?:var|const|let) MIGRATIONS\w* = \{[^}]*)\}/,
    `import { NEXT_MIGRATIONS } from '${NEXT_MIGRATIONS}';\n$1, ...NEXT_MIGRATIONS }`,
  ],
  [
    /(async function recordEvent\()/,
    `async function noteEvent(transaction, id) {
  await transaction.insertInto('event_notes').values({ event_id: id }).execute();
}
$1`,
  ],
  [/(await insertEvent\.run\((\w+), \{\s*id,)/, 'await noteEvent($2, id);\n$1'],
  [/request_headers: ["']text["'],/, ''],
  [/request_headers: request && JSON\.stringify\(request\.headers\),/, ''],
  [/,\s*["']request_headers["']\s*\]\)/, '])'],
];
const pending = new Set(CHANGES);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!/\/server\/dist\/.*\.js$/.test(url)) return loaded;
    let source = String(loaded.source);
    for (const change of pending) {
      const [pattern, text] = change;
      if (!pattern.test(source)) continue;
      source = source.replace(pattern, text);
      pending.delete(change);
    }
    return { ...loaded, source };
  },
});

process.once('exit', () => {
  if (pending.size > 0)
    process.stderr.write(`The built server has nothing like ${[...pending].map(([pattern]) => pattern)}.\n`);
});
