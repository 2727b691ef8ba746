/** Stylesheet of the HTML report. It follows the light or dark scheme of the reader. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fbfbfa, #16181b); --text: light-dark(#1c1e21, #e6e7e9);
  --faint: light-dark(#5d636b, #9aa1aa); --line: light-dark(#dcdfe3, #33383f); --code: light-dark(#f1f2f4, #1f2328);
  --passed: light-dark(#1a7f37, #57c278); --failed: light-dark(#c62828, #ff8a80); --skipped: light-dark(#8a6100, #e0b050); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 70rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: .25rem 0; } .faint { color: var(--faint); }
ul.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 0; list-style: none; font-weight: 600; }
nav a { margin-right: 1rem; }
details { border-bottom: 1px solid var(--line); } summary { padding: .5rem 0; cursor: pointer; display: flex; gap: .75rem; }
summary .verdict { flex: 0 0 7.5rem; font-weight: 600; } summary code { overflow-wrap: anywhere; }
.passed .verdict { color: var(--passed); } .failed .verdict { color: var(--failed); }
.not-run .verdict, .unobservable .verdict { color: var(--skipped); }
.rule { padding: 0 0 1rem 8.25rem; } @media (max-width: 45rem) { .rule { padding-left: 0; } }
pre { margin: .25rem 0 .75rem; padding: .75rem; overflow-x: auto; background: var(--code); border-radius: 6px;
  font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
h3 { font-size: .9rem; margin: 1rem 0 0; }
`;
