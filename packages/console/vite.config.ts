import { CLOCK_PRESET_WORDS, CONTROL_ROUTES, isDeliveryEffect } from '@latchkey/sandbox/routes';
import { formFieldsOf, OWNER_KINDS, RECORD_KINDS, recordKind } from '@latchkey/server/schemas';
import { defineConfig } from 'vite';
import { readElements } from './read-elements.ts';

/** Address below which the sandbox serves the files. */
const BASE = '/sandbox/assets/';

export default defineConfig({
  base: BASE,
  define: {
    // Attributes and custom properties of the widget's elements, so that the configurator has each new one.
    WIDGET_ELEMENTS: JSON.stringify(readElements()),
    // Words and fields of the kinds of records, so that the console has each new one, without zod.
    RECORDS: JSON.stringify(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, statementOf(kind)]))),
    OWNER_KINDS: JSON.stringify(OWNER_KINDS),
    FAULT_EFFECTS: JSON.stringify(faultEffects()),
    CLOCK_PRESET_WORDS: JSON.stringify(CLOCK_PRESET_WORDS),
  },
  build: {
    target: 'es2022',
    outDir: '../sandbox/dist/console/assets',
    // Old hashed names would be published.
    emptyOutDir: true,
    manifest: 'manifest.json',
    // The pages forbid inline scripts, and the files come from the same machine.
    modulePreload: false,
    rolldownOptions: {
      input: 'src/main.ts',
      output: {
        entryFileNames: '[name].[hash].js',
        chunkFileNames: '[name].[hash].js',
        assetFileNames: '[name].[hash][extname]',
      },
    },
  },
});

/** The effects of faults, with their words. */
function faultEffects() {
  return CONTROL_ROUTES['POST /faults'].body.shape.effect.options.map((option) => {
    const kind = option.shape.kind.value;
    const needs = Object.keys(option.shape).find((name) => name !== 'kind');
    return { kind, ...option.meta(), isOfDelivery: isDeliveryEffect({ kind }), needs };
  });
}

function statementOf(kind: (typeof RECORD_KINDS)[number]) {
  const { one, end } = recordKind(kind);
  return { one, end, fields: formFieldsOf(kind) };
}
