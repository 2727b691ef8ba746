/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [number, number, number];

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];

/** Minimum contrast of text (WCAG 2.2, criterion 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** Parts of a mixture that are tried between a colour and white or black. */
const STEPS = 50;

/** Background of a mail's card in the dark scheme. */
export const DARK_CARD = '#1b201f';

/** Colours of buttons and links for both schemes. Each has a contrast of at least 4.5 with its card and its label. */
export interface MailAccent {
  /** Colour on white, and background under a white label. */
  readonly light: string;
  /** Colour on {@link DARK_CARD}, and background under a label of that colour. */
  readonly dark: string;
}

/** Derives readable colours from `#rrggbb`: darker for the light scheme and lighter for the dark one, as far as necessary. */
export function mailAccent(accent: string): MailAccent {
  const colour = parse(accent);
  return {
    light: format(readable(colour, { on: WHITE, towards: BLACK })),
    dark: format(readable(colour, { on: parse(DARK_CARD), towards: WHITE })),
  };
}

/** Returns the contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

function readable(colour: Colour, { on, towards }: { on: Colour; towards: Colour }): Colour {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS);
    if (contrast(mixed, on) >= TEXT_CONTRAST) return mixed;
  }
  return towards;
}

function mix(from: Colour, to: Colour, part: number): Colour {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * part);
  return [channel(0), channel(1), channel(2)];
}

function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance by WCAG 2.2. */
function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function parse(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function format(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
