/** Swagger UI in the service's colors. Its own colors have too little contrast in both schemes. */
export const REFERENCE = `
.reference-main { inline-size: min(100% - 2rem, 76rem); margin-inline: auto; padding-block: 2rem 4rem; outline: none; }
.reference-main h1 { font-size: 1.75rem; margin-block-end: 0.5rem; }
.reference-main > .lead { max-inline-size: 46rem; }
html.dark-mode body { background: var(--ground); }
#viewer .swagger-ui { font-family: var(--font); color: var(--text); background: transparent; }
#viewer .swagger-ui .wrapper { max-inline-size: none; padding: 0; }
#viewer .swagger-ui :where(*:not(.opblock-summary-method, svg, svg *)) { color: inherit; border-color: var(--line); font-family: inherit; }
#viewer .swagger-ui :is(code, pre, textarea, .opblock-summary-path, .parameter__name, .json-schema-2020-12__title) { font-family: var(--mono); }
#viewer .swagger-ui svg { fill: currentcolor; }
#viewer .swagger-ui .opblock-tag { font-size: 1.25rem; border-block-end: 1px solid var(--line); }
#viewer .swagger-ui .opblock { margin-block: 0 0.75rem; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: none; }
#viewer .swagger-ui .opblock .opblock-summary { padding: 0.375rem 0.625rem; border-color: var(--line); }
#viewer .swagger-ui .opblock-summary-method { padding: 0.25rem 0; min-inline-size: 4rem; font-size: 0.75rem; color: var(--on-tint); text-shadow: none; background: var(--tint-0); }
#viewer .swagger-ui .opblock-get .opblock-summary-method { background: var(--tint-1); }
#viewer .swagger-ui .opblock-section-header { min-block-size: 0; background: var(--sunken); box-shadow: none; }
#viewer .swagger-ui :is(.opblock-body pre.microlight, .curl, .request-url pre, .highlight-code pre) { background: var(--sunken) !important; border: 1px solid var(--line); border-radius: 8px; color: var(--text); }
#viewer .swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--sunken); color: var(--text); }
#viewer .swagger-ui :is(input, select, textarea) { background: var(--surface); border: 1px solid var(--line-strong); border-radius: 8px; color: var(--text); box-shadow: none; }
#viewer .swagger-ui select { padding-inline-end: 2rem; appearance: auto; }
#viewer .swagger-ui .btn { min-block-size: 2.25rem; color: var(--text); background: var(--surface); border: 1px solid var(--line-strong); border-radius: 8px; box-shadow: none; opacity: 1; }
#viewer .swagger-ui .btn:hover { background: var(--sunken); }
#viewer .swagger-ui .btn.execute { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
#viewer .swagger-ui .btn.execute:hover { background: var(--accent-strong); }
#viewer .swagger-ui .parameter__name.required::after { color: var(--danger); }
#viewer .swagger-ui :is(.parameter__in, .parameter__type, .parameter__extension, .prop-format, .json-schema-2020-12-keyword__name, .json-schema-2020-12__attribute) { color: var(--muted); font-style: normal; }
#viewer .swagger-ui :is(.json-schema-2020-12, .json-schema-2020-12 *, .model-box, .opblock .opblock-section-header > label) { background: transparent; }
#viewer .swagger-ui :is(.json-schema-2020-12-head, .json-schema-2020-12-accordion) { background: transparent; }
#viewer .swagger-ui .parameter__name.required span, #viewer .swagger-ui .required { color: var(--danger); }
#viewer .swagger-ui .dialog-ux .modal-ux { background: var(--surface); border-color: var(--line); }
#viewer .swagger-ui .dialog-ux .backdrop-ux { background: rgb(0 0 0 / 0.6); }
#viewer .swagger-ui a { color: var(--accent); }
#viewer .swagger-ui .tab li button.tablinks { color: var(--text); }
#viewer .swagger-ui :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#viewer .swagger-ui .download-contents { inline-size: auto; padding-inline: 0.75rem; color: var(--text); background: var(--surface); border: 1px solid var(--line-strong); }
#viewer .swagger-ui pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
.layout-reference .site-header-inner { inline-size: min(100% - 2rem, 76rem); }
#viewer .swagger-ui .webhooks > h2 { display: none; }
#viewer .swagger-ui :is(.markdown, .renderedMarkdown) ul { padding-inline-start: 1.25rem; list-style: disc; }
.viewer-overview { max-inline-size: 46rem; margin-block: 1rem; }
.viewer-overview .disclosure { margin-block-start: 0.5rem; }
.viewer-overview .disclosure > summary { font-weight: 500; }
.viewer-access { display: flex; justify-content: flex-end; margin-block: 1rem; }
#viewer .swagger-ui .named-field { display: block; margin: 0; position: relative; }
#viewer .swagger-ui :is(pre, textarea, code) { font-weight: 400; }
#viewer .swagger-ui .btn-group { gap: 0.625rem; padding-inline: 1.25rem; }
#viewer .swagger-ui .copy-to-clipboard { display: block; inline-size: 1.75rem; block-size: 1.75rem; background: none; }
#viewer .swagger-ui .copy-to-clipboard button { position: relative; flex: none; inline-size: 1.75rem; block-size: 1.75rem; color: var(--muted); background: none; border: 1px solid transparent; border-radius: var(--radius-s); cursor: pointer; }
#viewer .swagger-ui .copy-to-clipboard button:hover { color: var(--text); background: var(--sunken); border-color: var(--line-strong); }
#viewer .swagger-ui .copy-to-clipboard button svg { display: none; }
/* Two sheets, as on the copy buttons of the other pages. */
#viewer .swagger-ui .copy-to-clipboard button::before, #viewer .swagger-ui .copy-to-clipboard button::after { content: ""; position: absolute; top: 0.5rem; left: 0.5625rem; inline-size: 0.5625rem; block-size: 0.625rem; border: 1.5px solid currentcolor; border-radius: 3px; }
#viewer .swagger-ui .copy-to-clipboard button::before { translate: -3px -3px; border-bottom-color: transparent; border-right-color: transparent; }
#viewer .swagger-ui .response-col_description .copy-to-clipboard { inset-inline-end: 8.5rem; }
#viewer .swagger-ui .response-col_links { display: none; }
/* The viewer shows this button under the pointer only, and until then half of it covers the padlock. */
#viewer .swagger-ui .opblock .opblock-summary .view-line-link.copy-to-clipboard { inline-size: 1.75rem; block-size: 1.75rem; margin: 0; }
#viewer .swagger-ui .opblock-summary-control:focus:not(:focus-visible) { outline: none; }
#viewer .swagger-ui :is(.markdown, .renderedMarkdown) li { font-size: 0.875rem; line-height: 1.5; }
#viewer .swagger-ui :is(.markdown, .renderedMarkdown) code { font-size: 0.8125rem; padding: 0.0625rem 0.25rem; }
#viewer .swagger-ui .opblock-summary-method { font-weight: 600; border-radius: var(--radius-s); }
#viewer .swagger-ui .opblock-summary-path { font-weight: 500; }
@media (max-width: 40rem) {
  .reference-main { padding-block-start: var(--space-5); }
  #viewer .swagger-ui .wrapper { padding: 0; }
  #viewer .swagger-ui .opblock-tag { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.125rem 0.5rem; padding: 0.75rem 0; margin: 0; }
  #viewer .swagger-ui .opblock-tag > :first-child { grid-area: 1 / 1; }
  #viewer .swagger-ui .opblock-tag small { grid-area: 2 / 1; padding: 0; font-size: 0.875rem; }
  #viewer .swagger-ui .opblock-tag > button, #viewer .swagger-ui .opblock-tag .expand-operation { grid-area: 1 / 2 / 3 / 3; align-self: center; margin: 0; padding: 0.25rem; }
  #viewer .swagger-ui .opblock .opblock-summary { gap: 0.5rem; padding: 0.5rem 0.625rem; }
  #viewer .swagger-ui .opblock-summary-control { gap: 0.625rem; padding: 0; }
  #viewer .swagger-ui .opblock-summary-method { align-self: start; min-inline-size: 3.25rem; font-size: 0.6875rem; }
  #viewer .swagger-ui .opblock-summary-path-description-wrapper { gap: 0.125rem; padding: 0; }
  #viewer .swagger-ui .opblock-summary-path { max-inline-size: none; padding: 0; font-size: 0.8125rem; }
  #viewer .swagger-ui .opblock-summary-description { font-size: 0.8125rem; }
  /* The address can be copied in the opened endpoint. The padlock repeats what the heading of the group says. */
  #viewer .swagger-ui .opblock-summary > :is(.view-line-link, .authorization__btn) { display: none; }
  #viewer .swagger-ui :is(.opblock-section-header, .table-container, .opblock-description-wrapper, .responses-inner) { padding: 0.75rem; }
  #viewer .swagger-ui .parameters-col_name { inline-size: 7rem; padding-inline-end: 0.75rem; }
  #viewer .swagger-ui .responses-table td, #viewer .swagger-ui .responses-table th { padding-inline: 0.25rem; }
}
`;
