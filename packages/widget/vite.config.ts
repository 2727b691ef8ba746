import { defineConfig, type Plugin } from 'vite';

/** The two files that the service serves; `--mode` says which. Each is a classic script, in one piece. */
const FILES: Record<string, string> = {
  latchkey: 'src/script-tag.ts',
  callback: 'src/callback/callback.ts',
};

export default defineConfig(({ mode }) => {
  const entry = FILES[mode];
  if (!entry) throw new Error(`Say which file to build: --mode ${Object.keys(FILES).join(' or --mode ')}.`);
  return {
    plugins: [compactStyles()],
    build: {
      target: 'es2022',
      // tsc's output is beside.
      emptyOutDir: false,
      sourcemap: true,
      lib: { entry, formats: ['iife'], name: 'latchkey', fileName: () => `${mode}.js` },
    },
  };
});

/** Takes the white space out of style sheets, which a minifier of JavaScript must leave alone. */
function compactStyles(): Plugin {
  return {
    name: 'compact-styles',
    transform(code, id) {
      if (!id.endsWith('.styles.ts')) return;
      const compact = code.replace(/css`[^`]*`/g, (styles) =>
        styles
          .replaceAll(/\s+/g, ' ')
          .replaceAll(/ ?([{};,>]) ?/g, '$1')
          .replaceAll(/: /g, ':')
          .replaceAll(';}', '}'),
      );
      return { code: compact, map: null };
    },
  };
}
