import { minify } from '@swc/core';
import { defineConfig, type Plugin } from 'vite';

/** The two files that the service serves, each a classic script in one piece. `--mode callback` builds the second. */
const FILES = { latchkey: 'src/script-tag.ts', callback: 'src/callback/callback.ts' };

export default defineConfig(({ mode }) => {
  const name = mode === 'callback' ? mode : 'latchkey';
  return {
    plugins: [compactTemplates(), minifyAgain()],
    build: {
      target: 'es2022',
      // tsc's output is beside.
      emptyOutDir: false,
      lib: { entry: FILES[name], formats: ['iife'], name: 'latchkey', fileName: () => `${name}.js` },
    },
  };
});

/** Takes white space out of markup and style sheets, which a minifier of JavaScript must leave alone. */
function compactTemplates(): Plugin {
  const compactStyles = (text: string) =>
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,>]) ?/g, '$1')
      .replaceAll(': ', ':')
      .replaceAll(';}', '}');
  return {
    name: 'compact-templates',
    transform(code, id) {
      if (!id.includes('/src/elements/')) return;
      const compact = id.endsWith('.styles.ts')
        ? code.replace(/css`[^`]*`/g, compactStyles)
        : code.replaceAll(/\n\s+/g, '\n ').replaceAll(/>\s+<(?=[a-z/])/g, '><');
      return { code: compact, map: null };
    },
  };
}

/** A second minifier finds what the first one leaves: 3 % of the compressed size. */
function minifyAgain(): Plugin {
  return {
    name: 'minify-again',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const options = { ecma: 2022, passes: 3 } as const;
        file.code = (await minify(file.code, { compress: options, mangle: true, module: false })).code;
      }
    },
  };
}
