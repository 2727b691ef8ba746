/** Colours, sizes and what every element starts from. Every pair of text and ground keeps 4.5:1 in both schemes. */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f3;
  --surface: #ffffff;
  --sunken: #f3f6f4;
  --line: #dfe4e1;
  --line-strong: #85918c;
  --text: #15201c;
  --muted: #55625d;
  --accent: #0b6f60;
  --accent-strong: #085a4e;
  --accent-soft: #e3f2ee;
  --on-accent: #ffffff;
  --good: #0f6b4f;
  --good-soft: #e2f4eb;
  --warn: #7a4f00;
  --warn-soft: #fdf2d6;
  --danger: #b3261e;
  --danger-soft: #fdecea;
  --ribbon: #ffd667;
  --ribbon-text: #3a2b00;
  --shadow: 0 1px 2px rgb(16 32 27 / 0.05), 0 12px 32px -12px rgb(16 32 27 / 0.16);
  --tint-0: #0b6f60;
  --tint-1: #2f5da8;
  --tint-2: #8a4b12;
  --tint-3: #7a3d8c;
  --tint-4: #a0304f;
  --tint-5: #46612b;
  --radius: 10px;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1412;
    --surface: #171f1c;
    --sunken: #1e2825;
    --line: #2c3834;
    --line-strong: #71807a;
    --text: #eaf0ed;
    --muted: #a3b1ab;
    --accent: #63d2ba;
    --accent-strong: #86e0cc;
    --accent-soft: #173630;
    --on-accent: #06231d;
    --good: #6fd6a6;
    --good-soft: #143526;
    --warn: #f0c05a;
    --warn-soft: #372a0c;
    --danger: #ffb4ab;
    --danger-soft: #3a1c1a;
    --ribbon: #4a3800;
    --ribbon-text: #ffe08a;
    --shadow: 0 1px 2px rgb(0 0 0 / 0.4), 0 16px 40px -16px rgb(0 0 0 / 0.7);
    --tint-0: #1d7a6b;
    --tint-1: #3c68b0;
    --tint-2: #93561f;
    --tint-3: #84489a;
    --tint-4: #a83e5c;
    --tint-5: #527035;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body, h1, h2, p, ul { margin: 0; }
ul { padding: 0; list-style: none; }
body {
  font: 400 0.9375rem/1.5 var(--font);
  color: var(--text);
  background: var(--ground);
  overflow-wrap: anywhere;
}
h1 { font-size: 1.375rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.012em; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.35; font-weight: 650; }
strong { font-weight: 600; }
code { font-family: var(--mono); font-size: 0.92em; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
.icon { flex: none; inline-size: 1.25em; block-size: 1.25em; }
.muted, .lead, .fine { color: var(--muted); }
.muted, .fine { font-size: 0.8438rem; }
.centred { text-align: center; }
.visually-hidden {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 4s !important; transition: none !important; }
}
`;
