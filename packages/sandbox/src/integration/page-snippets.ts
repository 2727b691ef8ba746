import { ELEMENTS, elementMarkup, type MarkupStyle } from './element-markup.js';
import type { CodeSnippet, SnippetChoice } from './snippet-choice.js';
import { packageToInstall } from './snippet-choice.js';

const INSTALL = `First run "npm install ${packageToInstall('widget')}".`;

export function pageSnippets(baseUrl: string, choice: SnippetChoice): readonly CodeSnippet[] {
  return [
    scriptTag(baseUrl, choice),
    npm(baseUrl, choice),
    react(baseUrl, choice),
    vue(baseUrl, choice),
    svelte(baseUrl, choice),
  ];
}

function scriptTag(baseUrl: string, choice: SnippetChoice): CodeSnippet {
  const styles = [
    ...('latchkey-gate' in choice.elements ? ['  latchkey-gate:not(:defined) { display: none; }'] : []),
    ...themeLines(choice),
  ];
  return {
    title: 'Script tag',
    note: `In any HTML page.${backendNote(choice)}`,
    code: [
      [
        ...(styles.length === 0 ? [] : ['<style>', ...styles, '</style>']),
        `<script src="${baseUrl}/widget/latchkey.js" defer></script>`,
        ...(sells(choice) ? [`<script src="${baseUrl}/widget/latchkey-plans.js" defer></script>`] : []),
      ].join('\n'),
      ...markups(choice.elements, { indent: '' }),
    ].join('\n\n'),
  };
}

function npm(baseUrl: string, choice: SnippetChoice): CodeSnippet {
  const elements = bundled(baseUrl, choice);
  // The smallest page: the login alone.
  const shown = isSample(choice)
    ? bundled(baseUrl, { ...choice, elements: { 'latchkey-login': { 'client-id': choice.clientId } } })
    : elements;
  const style = isSample(choice) ? { indent: '  ', isSpread: true } : { indent: '  ' };
  const markup = markups(shown, style).join('\n');
  return {
    title: 'npm',
    note: `${INSTALL} Then import it where your app starts, and write the element in your HTML.`,
    code: `${imports(choice)}

document.body.insertAdjacentHTML(
  'afterbegin',
  \`${markup.trimStart()}\`,
);${themeScript(choice)}`,
  };
}

function react(baseUrl: string, choice: SnippetChoice): CodeSnippet {
  return {
    title: 'React',
    note: `${INSTALL}${backendNote(choice)}${themeNote(choice)}`,
    code: `${imports(choice)}
import type {} from '@latchkey/widget/react';

export function Membership() {
  return (
    <main>
${markups(bundled(baseUrl, choice), { indent: '      ', closesItself: true, isSpread: true })
  .join('\n')
  .replaceAll(/^( +)<p slot="locked">(.*) (<a .*<\/a>)<\/p>$/gm, '$1<p slot="locked">\n$1  $2 $3\n$1</p>')}
    </main>
  );
}`,
  };
}

function vue(baseUrl: string, choice: SnippetChoice): CodeSnippet {
  return {
    title: 'Vue',
    note: `${INSTALL} In vite.config.ts, declare tags that start with latchkey- as custom elements.${themeNote(choice)}`,
    code: `<script setup lang="ts">
${imports(choice)}
import type {} from '@latchkey/widget/vue';
</script>

<template>
  <main>
${markups(bundled(baseUrl, choice), { indent: '    ', closesItself: true, isSpread: true }).join('\n')}
  </main>
</template>`,
  };
}

function svelte(baseUrl: string, choice: SnippetChoice): CodeSnippet {
  return {
    title: 'Svelte',
    note: `${INSTALL}${backendNote(choice)}${themeNote(choice)}`,
    code: `<script lang="ts">
  ${imports(choice).replaceAll('\n', '\n  ')}
  import type {} from '@latchkey/widget/svelte';
</script>

<main>
${markups(bundled(baseUrl, choice), { indent: '  ', isSpread: true }).join('\n')}
</main>`,
  };
}

function imports(choice: SnippetChoice): string {
  return [
    "import '@latchkey/widget/define';",
    ...(sells(choice) ? ["import '@latchkey/widget/plans';"] : []),
  ].join('\n');
}

function markups(elements: SnippetChoice['elements'], style: MarkupStyle): string[] {
  return ELEMENTS.flatMap((name) => {
    const attributes = elements[name];
    return attributes === undefined ? [] : [elementMarkup(name, attributes, style)];
  });
}

/** Returns the elements for a bundle. They contain the service's URL: there is no script URL to take it from. */
function bundled(baseUrl: string, { elements }: SnippetChoice): SnippetChoice['elements'] {
  return Object.fromEntries(
    Object.entries(elements).map(([name, attributes]) => {
      const clientId = attributes['client-id'];
      if (clientId === undefined) return [name, attributes];
      const { 'client-id': _, ...others } = attributes;
      return [
        name,
        {
          'client-id': clientId,
          'service-url': baseUrl,
          'callback-url': `${baseUrl}/widget/callback/${clientId}`,
          ...others,
        },
      ];
    }),
  );
}

function sells({ elements }: SnippetChoice): boolean {
  return 'latchkey-plans' in elements || 'latchkey-join' in elements;
}

function isSample({ elements, theme }: SnippetChoice): boolean {
  const attributes = Object.keys(elements['latchkey-login'] ?? {});
  return (
    attributes.join() === 'client-id,backend' &&
    Object.keys(theme).length === 0 &&
    !('latchkey-plans' in elements) &&
    !('latchkey-join' in elements)
  );
}

function themeLines({ theme }: SnippetChoice): string[] {
  const lines = Object.entries(theme).map(([name, value]) => `    ${name}: ${value};`);
  return lines.length === 0 ? [] : ['  :root {', ...lines, '  }'];
}

function themeScript(choice: SnippetChoice): string {
  const entries = Object.entries(choice.theme);
  return entries.length === 0
    ? ''
    : `\n\n${entries
        .map(
          ([name, value]) =>
            `document.documentElement.style.setProperty('${name}', ${JSON.stringify(value)});`,
        )
        .join('\n')}`;
}

function themeNote({ theme }: SnippetChoice): string {
  const names = Object.entries(theme).map(([name, value]) => `${name}: ${value};`);
  return names.length === 0 ? '' : ` In your style sheet: :root { ${names.join(' ')} }`;
}

function backendNote({ elements }: SnippetChoice): string {
  const isServed = Object.values(elements).some((attributes) => 'backend' in attributes);
  return isServed && 'latchkey-gate' in elements
    ? ' It belongs to the app of the snippet Express, on pages of the same address.'
    : '';
}
