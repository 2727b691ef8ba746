/** Colours in the light and in the dark scheme. */
const COLOURS = {
  ground: ['#f6f8f7', '#0d1211'],
  surface: ['#ffffff', '#161d1b'],
  sunken: ['#f2f5f4', '#1d2624'],
  line: ['#e1e6e4', '#2a3532'],
  'line-strong': ['#848f8b', '#74827d'],
  text: ['#131c19', '#eaf0ed'],
  muted: ['#55625e', '#a3b1ab'],
  accent: ['#0b6f60', '#63d2ba'],
  'accent-strong': ['#085a4e', '#86e0cc'],
  'accent-soft': ['#e4f3ef', '#173630'],
  'on-accent': ['#ffffff', '#06231d'],
  fill: ['#0b6f60', '#63d2ba'],
  'fill-line': ['#0b6f60', '#63d2ba'],
  'fill-strong': ['#085a4e', '#86e0cc'],
  'on-fill': ['#ffffff', '#06231d'],
  good: ['#0f6b4f', '#6fd6a6'],
  'good-soft': ['#e1f4ea', '#143526'],
  warn: ['#7a4f00', '#f0c05a'],
  'warn-soft': ['#fdf1d3', '#372a0c'],
  danger: ['#b3261e', '#ffb4ab'],
  'danger-soft': ['#fdecea', '#3a1c1a'],
  'on-danger': ['#ffffff', '#3a0a06'],
  ribbon: ['#ffd667', '#4a3800'],
  'ribbon-text': ['#3a2b00', '#ffe08a'],
  'on-tint': ['#ffffff', '#ffffff'],
  paper: ['#ffffff', '#ffffff'],
  'tint-0': ['#0b6f60', '#1d7a6b'],
  'tint-1': ['#2f5da8', '#3c68b0'],
  'tint-2': ['#8a4b12', '#93561f'],
  'tint-3': ['#7a3d8c', '#84489a'],
  'tint-4': ['#a0304f', '#a83e5c'],
  'tint-5': ['#46612b', '#527035'],
} as const;

export type ColourName = keyof typeof COLOURS;
type Colours = Readonly<Record<ColourName, string>>;

export const LIGHT_COLOURS: Colours = coloursOf(0);
export const DARK_COLOURS: Colours = coloursOf(1);

const LIGHT = `${declarations(LIGHT_COLOURS)}
  --shadow: 0 1px 2px rgb(16 32 27 / 0.05), 0 12px 32px -12px rgb(16 32 27 / 0.14);
  --shadow-control: 0 1px 2px rgb(16 32 27 / 0.06);`;

const DARK = `${declarations(DARK_COLOURS)}
  --shadow: 0 1px 2px rgb(0 0 0 / 0.4), 0 16px 40px -16px rgb(0 0 0 / 0.7);
  --shadow-control: none;`;

/**
 * Design tokens as custom properties: colours by scheme, spaces in steps of 4 px, sizes of type, radii, heights of controls
 * and fonts. Shadow trees inherit them from the page.
 */
export const TOKENS: string = `
:root {
  color-scheme: light dark;${LIGHT}
  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-5: 1.25rem;
  --space-6: 1.5rem;
  --space-8: 2rem;
  --space-12: 3rem;
  --type-xs: 0.75rem;
  --type-s: 0.8125rem;
  --type-m: 0.875rem;
  --type-body: 0.9375rem;
  --type-l: 1.0625rem;
  --type-xl: 1.375rem;
  --type-2xl: 1.625rem;
  --type-3xl: 2rem;
  --radius-s: 6px;
  --radius: 8px;
  --radius-l: 12px;
  --radius-round: 99px;
  --control: 2.5rem;
  --control-small: 2rem;
  --font: "Geist", "Geist fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {${DARK}
  }
}
/* A finger needs more room than a pointer. */
@media (pointer: coarse) {
  :root { --control: 2.75rem; --control-small: 2.5rem; }
}
`;

function coloursOf(scheme: 0 | 1): Colours {
  const colours = Object.entries(COLOURS).map(([name, pair]) => [name, pair[scheme]]);
  // There is an entry for each name, but the type of Object.fromEntries doesn't say so.
  return Object.fromEntries(colours) as Colours;
}

function declarations(colours: Colours): string {
  return Object.entries(colours)
    .map(([name, colour]) => `\n  --${name}: ${colour};`)
    .join('');
}
