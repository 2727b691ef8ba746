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
      removeUnreachable(),
      minifyAgain(isSecond),
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
      .replaceAll(/(?<=[:, (])0(?=\.\d)/g, '')
      .replace('` ', '`');
  return {
    name: 'compact-templates',
    transform(code, id) {
      if (!id.includes('/src/elements/')) return;
      const compact = id.endsWith('.styles.ts')
        ? code.replace(/css`[^`]*`/g, compactStyles)
        : code.replaceAll(/\n\s+/g, '\n ').replaceAll(/(?<=[>}])\n (?=<[a-z/])|(?<=>)\n (?=\$\{)/g, '');
      return { code: compact, map: null };
    },
  };
}

/** Code of a library with its replacement. */
type Replacement = readonly [code: string, replacement: string];

/**
 * Parts of oauth4webapi that never run in this bundle, or change nothing. A bundler can't detect it, because the reasons
 * are in @latchkey/oauth, where `test/unused-protocol.test.ts` proves them, and in the browser.
 */
const UNUSED_PROTOCOL: readonly Replacement[] = [
  // @latchkey/oauth removes an id_token from each response: no JWT is validated.
  ['json.id_token !== undefined', 'false'],
  // @latchkey/oauth passes neither DPoP keys nor mTLS aliases.
  ['options?.DPoP !== undefined', 'false'],
  ['options?.DPoP?.cacheNonce(response, url);', ''],
  ['client.use_mtls_endpoint_aliases', 'false'],
  // @latchkey/oauth passes no headers, and gives the signal to its own fetch.
  ['prepareHeaders(options?.headers)', 'new Headers()'],
  ['signal: signal(url, options?.signal),', ''],
  // @latchkey/oauth reads an error from the body of the response, with or without a challenge in a header.
  ['checkAuthenticationChallenges(response);', ''],
  // Base64url is only encoded.
  ['return decodeBase64Url(input);', ''],
  // The bundle runs in browsers, which set their own User-Agent.
  ["typeof navigator === 'undefined' || !navigator.userAgent?.startsWith?.('Mozilla/5.0 ')", 'false'],
];

/** Client secrets in @latchkey/oauth. The client of the widget is public. */
const UNUSED_SECRETS: readonly Replacement[] = [
  ['clientSecret === undefined ? None() : ClientSecretPost(clientSecret)', 'None()'],
  ["clientSecret === ''", 'false'],
];

/**
 * Lit's fallback for browsers without adoptedStyleSheets, and expressions in style sheets. The styles contain none, and
 * need newer browsers anyway: they use light-dark().
 */
const UNUSED_STYLES: readonly Replacement[] = [
  [
    `1===t.length?t[0]:e.reduce((e,s,o)=>e+(t=>{if(!0===t._$cssResult$)return t.cssText;if("number"==typeof t)return t;throw Error("Value passed to 'css' function must be a 'css' function result: "+t+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+t[o+1],t[0])`,
    't[0]',
  ],
  [
    't.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype',
    'true',
  ],
];

/**
 * Lit's hooks for a polyfill of shadow DOM, which these browsers contain, and for rendering on a server. Lit's lists of
 * loaded versions, which only its development build reads.
 */
const UNUSED_HOOKS = {
  element: [
    ['p=a.reactiveElementPolyfillSupport,', ''],
    ['p?.({ReactiveElement:y}),(a.reactiveElementVersions??=[]).push(', '('],
  ],
  html: [[',B=t.litHtmlPolyfillSupport;B?.(S,k),(t.litHtmlVersions??=[]).push(', ';(']],
  lit: [
    [
      ',s.litElementHydrateSupport?.({LitElement:i});const o=s.litElementPolyfillSupport;o?.({LitElement:i});',
      ';',
    ],
    ['(s.litElementVersions??=[]).push(', '('],
  ],
} satisfies Record<string, readonly Replacement[]>;

const UNREACHABLE: Record<string, readonly Replacement[]> = {
  '/oauth4webapi/build/index.js': UNUSED_PROTOCOL,
  '/oauth/dist/protocol-call.js': UNUSED_SECRETS.slice(0, 1),
  '/oauth/dist/oauth-service.js': UNUSED_SECRETS.slice(1),
  '/@lit/reactive-element/css-tag.js': UNUSED_STYLES,
  '/@lit/reactive-element/reactive-element.js': UNUSED_HOOKS.element,
  '/lit-html/lit-html.js': UNUSED_HOOKS.html,
  '/lit-element/lit-element.js': UNUSED_HOOKS.lit,
};

/** Removes library code that never runs. Fails if a new version of the library no longer contains it. */
function removeUnreachable(): Plugin {
  return {
    name: 'remove-unreachable',
    transform(code, id) {
      const [, replacements = []] = Object.entries(UNREACHABLE).find(([file]) => id.endsWith(file)) ?? [];
      return replacements.reduce((text, [unused, replacement]) => {
        if (!text.includes(unused)) throw new Error(`${id} no longer contains: ${unused}`);
        return text.replaceAll(unused, replacement);
      }, code);
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
  if (!customElements.get(main)) console.error('Latchkey: latchkey-plans.js needs latchkey.js, which this page did not load. Add its script tag.');
};
document.readyState === 'complete' ? setTimeout(check, 3000) : addEventListener('load', check);
}`;

/**
 * Tells V8 to compile all functions of the script in the background, while it loads. Otherwise it compiles each function
 * in the page's main thread, when it is called first.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Minifies a second time. The second minifier reduces the compressed size by another 3 %. */
function minifyAgain(isSecond: boolean): Plugin {
  return {
    name: 'minify-again',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const options = { ecma: 2022, passes: 3, sequences: false } as const;
        const { code } = await minify(isSecond ? afterMainScript(file.code) : file.code, {
          compress: options,
          mangle: true,
          module: false,
        });
        file.code = COMPILE_HINT + code;
      }
    },
  };
}
