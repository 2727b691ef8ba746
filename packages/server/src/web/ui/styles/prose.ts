/** Text that was written in Markdown. */
export const PROSE = `
.prose { min-inline-size: 0; font-size: 1rem; line-height: 1.625; }
.prose > * + * { margin-block-start: 1rem; }
.prose h1 { font-size: clamp(1.375rem, 1rem + 2vw, 1.75rem); }
.prose h2 { margin-block-start: 2.5rem; font-size: 1.25rem; scroll-margin-block-start: 1rem; }
.prose h3 { margin-block: 2rem 0; font-size: 1.0625rem; line-height: 1.4; font-weight: 600; scroll-margin-block-start: 1rem; }
.prose h4 { margin-block: 1.5rem 0; font-weight: 600; scroll-margin-block-start: 1rem; }
.prose :is(p, ol, ul, table, blockquote) { margin-block-end: 0; }
.prose :is(ul, ol) { padding-inline-start: 1.5rem; list-style: revert; }
.prose li + li { margin-block-start: 0.375rem; }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; color: var(--muted); border-inline-start: 3px solid var(--line-strong); }
.prose .heading-link { color: inherit; text-decoration: none; }
.prose .heading-link:hover { color: inherit; text-decoration: underline; }
.prose :not(pre) > code { padding: 0.0625rem 0.3125rem; font-size: 0.875em; background: var(--sunken); border: 1px solid var(--line); border-radius: 5px; }
.prose img { display: block; max-inline-size: 100%; block-size: auto; border: 1px solid var(--line); border-radius: var(--radius); }
.prose .table { line-height: 1.5; }
.prose td > code { overflow-wrap: anywhere; }
`;
