import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minify } from '@swc/core';
import { defineConfig, type Plugin } from 'vite';

/** The files that pages load. Each is a classic script. `--mode` names the one to build. */
const FILES = {
  // With `latchkey-sign-in.js`, the module that it imports for a sign-in.
  latchkey: 'src/script-tag.ts',
  'latchkey-all': 'src/script-tag-all.ts',
  'latchkey-plans': 'src/plans-script-tag.ts',
  callback: 'src/callback/callback.ts',
};

/** The module that `latchkey.js` imports. */
const PART = 'latchkey-sign-in.js';

const isFile = (mode: string): mode is keyof typeof FILES => mode in FILES;

export default defineConfig(({ mode }) => {
  const name = isFile(mode) ? mode : 'latchkey';
  const isSplit = name === 'latchkey';
  return {
    plugins: [
      name === 'latchkey-plans' && sharedParts(),
      isSplit && splitParts(),
      name === 'latchkey-all' && joinParts(),
      compactTemplates(),
      isSplit ? minifyParts() : minifyAgain(WRAPPERS[name]),
      name === 'callback' && callbackPage(),
    ],
    // These files contain Lit's production build, which has no warnings.
    define: { 'globalThis.litIssuedWarnings': 'undefined' },
    build: {
      target: 'es2022',
      // The folder also contains the output of tsc.
      emptyOutDir: false,
      lib: {
        entry: FILES[name],
        formats: [isSplit ? 'es' : 'iife'],
        name: 'latchkey',
        fileName: () => `${name}.js`,
      },
      rolldownOptions: isSplit
        ? { preserveEntrySignatures: 'allow-extension', output: { chunkFileNames: PART } }
        : { output: { codeSplitting: false } },
    },
  };
});

/** Adds the page that loads `callback.js`, so that a site can serve both from one folder, with the service's translations of its texts. */
function callbackPage(): Plugin {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  return {
    name: 'callback-page',
    generateBundle() {
      const texts = JSON.stringify(translationsOf(read('src/callback/hand-over.ts'))).replaceAll(
        '<',
        '\\u003c',
      );
      const page = read('src/callback/callback.html').replace('{}', () => texts);
      this.emitFile({ type: 'asset', fileName: 'callback.html', source: page });
    },
  };
}

/** Returns the translations of the strings in a source, by language. */
function translationsOf(source: string): Record<string, object> {
  const folder = fileURLToPath(new URL('../server/assets/messages/', import.meta.url));
  const languages = readdirSync(folder).filter((file) => file !== 'en.json');
  return Object.fromEntries(
    languages.map((file) => {
      const messages: Record<string, unknown> = JSON.parse(readFileSync(folder + file, 'utf8'));
      const used = Object.entries(messages).filter(([text]) => source.includes(`'${text}'`));
      return [file.replace('.json', ''), Object.fromEntries(used)];
    }),
  );
}

/** Replaces Lit and the base of the elements by those of `latchkey.js`, which the page has loaded. */
function sharedParts(): Plugin {
  const parts = fileURLToPath(new URL('src/script-parts.ts', import.meta.url));
  return {
    name: 'shared-parts',
    enforce: 'pre',
    resolveId: (source) => (/^lit$|\/(session-element|theme\.styles)\.js$/.test(source) ? parts : undefined),
  };
}

/** Has `latchkey.js` import its part from beside it, with its hash, and its elements use stand-ins until then. */
function splitParts(): Plugin {
  const imports = fileURLToPath(new URL('src/script-rest.ts', import.meta.url));
  const elements = fileURLToPath(new URL('src/script-element-rest.ts', import.meta.url));
  const rest = fileURLToPath(new URL('src/rest.ts', import.meta.url));
  return {
    name: 'split-parts',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (source.endsWith('/import-rest.js')) return imports;
      return source.endsWith('/rest.js') && ![imports, rest].includes(importer) ? elements : undefined;
    },
  };
}

/** Has `latchkey-all.js` contain the part. An import that is resolved while bundling would add code around each module. */
function joinParts(): Plugin {
  return {
    name: 'join-parts',
    load: (id) =>
      id.endsWith('/load-rest.ts')
        ? "import { loadedSession } from '../session/loaded-session.js'; export const loadRest = async () => ({ loadedSession }); export const loadRestInTheEnd = loadRest;"
        : undefined,
  };
}

/**
 * Makes a classic script and a module of the two chunks. A module cannot import from a classic script, so it exports a
 * function that takes a list of the values of `latchkey.js` which it uses, and returns its own exports. The page loads each module once.
 */
function minifyParts(): Plugin {
  return {
    name: 'minify-parts',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const [main, part] = ['latchkey.js', PART].map((file) => bundle[file]);
      const others = Object.keys(bundle).length - 2;
      if (main?.type !== 'chunk' || part?.type !== 'chunk' || others)
        throw new Error(`Expected two chunks, and got ${Object.keys(bundle).join()}.`);
      const [mainCode, shared] = takeExports(main.code);
      const [partCode, own] = takeExports(part.code);
      const [, names] = /^import ?\{([^}]*)\} ?from ?["']\.\/latchkey\.js["'];?/.exec(partCode) ?? [];
      if (names === undefined) throw new Error(`${PART} imports nothing of latchkey.js.`);
      const body = partCode.slice(partCode.indexOf(';') + 1);
      const taken = new Map(bindings(names));
      const list = [...shared.keys()].map((name) => taken.get(name) ?? '');
      const exported = [...own].map(([name, local]) => `${name}:${local}`);
      part.code = await minified(`export default ([${list}]) => {${body};return {${exported}}}`, {
        module: true,
      });
      const version = createHash('sha256').update(part.code).digest('hex').slice(0, 16);
      const integrity = `sha256-${createHash('sha256').update(part.code).digest('base64')}`;
      const value = `["${PART}?v=${version}","${integrity}",[${[...shared.values()]}]]`;
      const script = mainCode.replace(/import\(["'`]\.\/latchkey-sign-in\.js["'`]\)/, value);
      if (script === mainCode) throw new Error(`latchkey.js does not import ${PART}.`);
      main.code = await minified(once(`(() => {${script}})()`));
    },
  };
}

/** Splits a chunk into its code, and the local names of its exports by their names. */
function takeExports(code: string): [code: string, exported: Map<string, string>] {
  const [statement, names] = /export ?\{([^}]*)\};?\s*$/.exec(code) ?? [];
  if (statement === undefined || names === undefined) throw new Error('A chunk exports nothing.');
  const exported = bindings(names).map(([local, name]) => [name, local] as const);
  return [code.slice(0, -statement.length), new Map(exported)];
}

/** Reads a list of bindings, such as `a, b as c`, into pairs of the names before and after `as`. */
function bindings(list: string): [string, string][] {
  return list.split(',').map((binding) => {
    const [from = '', to = from] = binding.trim().split(' as ');
    return [from, to];
  });
}

/** Removes white space from markup and style sheets, which minifiers of JavaScript leave unchanged. */
function compactTemplates(): Plugin {
  const compactStyles = (text: string) =>
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,>]) ?/g, '$1')
      .replaceAll(': ', ':')
      .replaceAll(';}', '}')
      .replaceAll(/(?<=[:, (-])0(?=\.\d)/g, '')
      .replaceAll(/='([\w-]+)'/g, '=$1')
      .replace('` ', '`');
  return {
    name: 'compact-templates',
    transform(code, id) {
      if (!/\b(html|css)`/.test(code) || !id.includes('/widget/src/')) return;
      const compact = id.endsWith('.styles.ts')
        ? code.replace(/css`[^`]*`/g, compactStyles)
        : code
            .replaceAll(/\n\s+/g, '\n ')
            .replaceAll(/\n (?=>)/g, '')
            .replaceAll(/\n (?=[a-z@-]+=["$])/g, ' ')
            .replaceAll(/(?<=[>}])\n (?=<[a-z/])|(?<=>)\n (?=\$\{)/g, '');
      return { code: compact, map: null };
    },
  };
}

/**
 * Runs a script as soon as `latchkey.js` has registered its elements, whichever of the two comes first. Reports in the
 * console that `latchkey.js` is missing.
 */
const afterMainScript = (script: string) => `{
const main = 'latchkey-gate';
customElements.whenDefined(main).then(() => { ${script} });
const check = () => {
  if (!customElements.get(main)) console.error('Latchkey: latchkey-plans.js needs latchkey.js. Add its script tag.');
};
document.readyState === 'complete' ? setTimeout(check, 3000) : addEventListener('load', check);
}`;

/**
 * Runs a script only if no other copy, or a bundle, has registered the elements. A second copy of Lit would fail in a page
 * whose policy lists its name for Trusted Types, because a name can be used once.
 */
const once = (script: string) => `if (!customElements.get('latchkey-gate')) { ${script} }`;

/** The code around a script, by file. */
const WRAPPERS = {
  latchkey: once,
  'latchkey-all': once,
  'latchkey-plans': afterMainScript,
  callback: (script: string) => script,
};

/**
 * Tells V8 to compile all functions of the script in the background, while it loads. Otherwise it compiles each function
 * in the page's main thread, when it is called first.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

function minifyAgain(wrap: (script: string) => string): Plugin {
  return {
    name: 'minify-again',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = await minified(wrap(file.code));
      }
    },
  };
}

/** Minifies a second time. The second minifier reduces the compressed size by another 3 %. */
async function minified(script: string, { module = false } = {}): Promise<string> {
  // Code that repeats itself compresses better than the shortest code, so some rewrites are off.
  const rewrites = { sequences: false, comparisons: false, collapse_vars: false };
  const compress = { ecma: 2022, passes: 5, ...rewrites } as const;
  const { code } = await minify(script, { compress, mangle: true, module });
  return COMPILE_HINT + code;
}
