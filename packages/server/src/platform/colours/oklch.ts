/**
 * A colour in Oklch, where equal steps of lightness look equal and hue stays constant while lightness changes.
 * https://bottosson.github.io/posts/oklab/
 */
export interface Oklch {
  /** 0 is black, 1 is white. */
  readonly lightness: number;
  /** 0 is grey. Colours of a screen reach about 0.37. */
  readonly chroma: number;
  /** Angle in radians. */
  readonly hue: number;
}

/** Red, green and blue light, each 0 to 1. */
type LinearRgb = readonly [red: number, green: number, blue: number];

/** Number of steps in which chroma is reduced until a screen can show the colour. */
const CHROMA_STEPS = 32;

/** Tolerance of a channel before it is clipped, about a tenth of an 8-bit step. */
const CHANNEL_TOLERANCE = 0.0005;

export function oklchOf(hex: string): Oklch {
  const [red, green, blue] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** Converts to `#rrggbb`. A colour that no screen can show loses chroma but keeps its lightness and hue. */
export function hexOf(colour: Oklch): string {
  const lightness = Math.min(1, Math.max(0, colour.lightness));
  for (let step = 0; step <= CHROMA_STEPS; step += 1) {
    const chroma = colour.chroma * (1 - step / CHROMA_STEPS);
    const rgb = linearRgb({ ...colour, lightness, chroma });
    const isShown = rgb.every((channel) => channel > -CHANNEL_TOLERANCE && channel < 1 + CHANNEL_TOLERANCE);
    if (isShown || step === CHROMA_STEPS) return `#${rgb.map(channelHex).join('')}`;
  }
  throw new Error('Unreachable: the last step returns.');
}

/** Returns the contrast ratio of two colours `#rrggbb`: 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(hex: string): number {
  const [red, green, blue] = linearOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearOf(hex: string): LinearRgb {
  const channel = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function linearRgb({ lightness, chroma, hue }: Oklch): LinearRgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function channelHex(linear: number): string {
  const clipped = Math.min(1, Math.max(0, linear));
  const value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0');
}

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** Change of lightness from one candidate to the next. */
export const LIGHTNESS_STEP = 0.004;

/** Where to look for a colour, and what it must be readable against. */
interface Search {
  /** 1 tries lighter colours, -1 darker ones. */
  readonly towards: 1 | -1;
  readonly against: readonly string[];
  readonly contrast: number;
}

/** Returns the first colour in this direction that is readable against all others; black or white if none is. */
export function firstReadable(start: Oklch, { towards, against, contrast }: Search): string {
  let lightness = Math.min(1, Math.max(0, start.lightness));
  for (; lightness >= 0 && lightness <= 1; lightness += towards * LIGHTNESS_STEP) {
    const hex = hexOf({ ...start, lightness });
    if (isReadable(hex, against, contrast)) return hex;
  }
  return towards === 1 ? '#ffffff' : '#000000';
}

export function isReadable(hex: string, against: readonly string[], contrast: number): boolean {
  return against.every((other) => contrastOf(hex, other) >= contrast);
}
