import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minify } from '@swc/core';
import { defineConfig, type Plugin } from 'vite';

/** The files that pages load. Each is one classic script. `--mode` names the one to build. */
const FILES = {
  latchkey: 'src/script-tag.ts',
  'latchkey-plans': 'src/plans-script-tag.ts',
  callback: 'src/callback/callback.ts',
};

const isFile = (mode: string): mode is keyof typeof FILES => mode in FILES;

export default defineConfig(({ mode }) => {
  const name = isFile(mode) ? mode : 'latchkey';
  const isSecond = name === 'latchkey-plans';
  return {
    plugins: [
      isSecond && sharedParts(),
      compactTemplates(),
      minifyAgain(WRAPPERS[name]),
      name === 'callback' && callbackPage(),
    ],
    build: {
      target: 'es2022',
      // The folder also contains the output of tsc.
      emptyOutDir: false,
      lib: { entry: FILES[name], formats: ['iife'], name: 'latchkey', fileName: () => `${name}.js` },
    },
  };
});

/** Adds the page that loads `callback.js`, so that a site can serve both from one folder. */
function callbackPage(): Plugin {
  const page = fileURLToPath(new URL('src/callback/callback.html', import.meta.url));
  return {
    name: 'callback-page',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'callback.html', source: readFileSync(page, 'utf8') });
    },
  };
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
const WRAPPERS = { latchkey: once, 'latchkey-plans': afterMainScript, callback: (script: string) => script };

/**
 * Tells V8 to compile all functions of the script in the background, while it loads. Otherwise it compiles each function
 * in the page's main thread, when it is called first.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Minifies a second time. The second minifier reduces the compressed size by another 3 %. */
function minifyAgain(wrap: (script: string) => string): Plugin {
  return {
    name: 'minify-again',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        // Code that repeats itself compresses better than the shortest code, so some rewrites are off.
        const rewrites = { sequences: false, comparisons: false, collapse_vars: false };
        const options = { ecma: 2022, passes: 5, ...rewrites } as const;
        const { code } = await minify(wrap(file.code), {
          compress: options,
          mangle: true,
          module: false,
        });
        file.code = COMPILE_HINT + code;
      }
    },
  };
}
