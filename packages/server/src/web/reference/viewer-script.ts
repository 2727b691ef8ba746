import { createHash } from 'node:crypto';

/**
 * Starts Swagger UI in the reference page, configured by data attributes. The layout omits Swagger UI's own headings: the
 * page provides them. Wrapped components and `mend` repair its accessibility: links inside buttons, unnamed fields and
 * buttons, a heading of the wrong level.
 */
export const VIEWER_SCRIPT = `'use strict';
const viewer = document.getElementById('viewer');
const { document: url, apiKey } = viewer.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showScheme);
showScheme();

// The first paragraph leads. The rest is closed at first, so that the endpoints are not far below.
const overview = (h, Markdown, text) => {
  const [lead, ...rest] = text.split('\\n\\n');
  return h('div', { className: 'viewer-overview' },
    h(Markdown, { source: lead }),
    h('details', { className: 'disclosure' },
      h('summary', null, h('span', { className: 'disclosure-summary' }, 'How to integrate, failures and retries')),
      h('div', { className: 'disclosure-content' }, h(Markdown, { source: rest.join('\\n\\n') }))));
};

const accessibleParts = ({ React: { createElement: h } }) => {
  const named = (name) => (Original) => (props) =>
    h('label', { className: 'named-field' }, h('span', { className: 'visually-hidden' }, name), h(Original, props));
  return {
    components: {
      OperationsLayout: ({ getComponent, specSelectors }) =>
        h('div', { className: 'swagger-ui' },
          overview(h, getComponent('Markdown'), specSelectors.info().get('description', '')),
          h('div', { className: 'viewer-access' }, h(getComponent('AuthorizeBtnContainer', true))),
          h(getComponent('errors', true)),
          h(getComponent('operations', true)),
          h(getComponent('Webhooks', true))),
    },
    wrapComponents: {
      DeepLink: () => ({ text }) => h('span', null, text),
      ExamplesSelect: named('Example'),
      TextArea: named('Body'),
    },
  };
};

const mend = () => {
  for (const button of viewer.querySelectorAll('.close-modal:not([aria-label])'))
    button.setAttribute('aria-label', 'Close');
  for (const button of viewer.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  for (const heading of viewer.querySelectorAll('h6:not([aria-level])')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', '5');
  }
};
new MutationObserver(mend).observe(viewer, { childList: true, subtree: true });

const ui = SwaggerUIBundle({
  url,
  domNode: viewer,
  layout: 'OperationsLayout',
  plugins: [accessibleParts],
  deepLinking: true,
  docExpansion: 'list',
  showExtensions: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  supportedSubmitMethods: 'canTry' in viewer.dataset ? ['get', 'post'] : [],
  onComplete: () => {
    if (apiKey) ui.preauthorizeApiKey('apiKey', apiKey);
  },
});
`;

/** Root-relative address. It contains a hash of the script, so caching never expires. */
export const VIEWER_SCRIPT_PATH: string = `/assets/viewer.${createHash('sha256').update(VIEWER_SCRIPT).digest('hex').slice(0, 8)}.js`;
