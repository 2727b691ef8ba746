import { defineConfig, type Plugin } from 'vite';

/** The two files that the service serves, each a classic script in one piece. `--mode callback` builds the second. */
const FILES = { latchkey: 'src/script-tag.ts', callback: 'src/callback/callback.ts' };

export default defineConfig(({ mode }) => {
  const name = mode === 'callback' ? mode : 'latchkey';
  return {
    plugins: [compactTemplates(), dropUnreachable()],
    build: {
      target: 'es2022',
      // tsc's output is beside.
      emptyOutDir: false,
      sourcemap: true,
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

/**
 * What oauth4webapi does for other services and never for this one. `packages/oauth` hands it answers of status 200
 * without `id_token` only; the rest is thrown before, or does not exist in the API. A bundler cannot know that.
 */
const UNREACHABLE = [
  'if (json.id_token !== undefined) {',
  'if (response.status !== expected) {',
  'if (options?.DPoP !== undefined) {',
];

/** Lets the bundler leave out {@link UNREACHABLE} code: 2 kB of the 16 that the widget may have. */
function dropUnreachable(): Plugin {
  return {
    name: 'drop-unreachable',
    transform(code, id) {
      if (!id.includes('/oauth4webapi/')) return;
      let rest = code;
      for (const condition of UNREACHABLE) {
        if (!rest.includes(condition)) this.error(`oauth4webapi no longer says “${condition}”: look again.`);
        rest = rest.replaceAll(condition, 'if (false) {');
      }
      return { code: rest, map: null };
    },
  };
}
