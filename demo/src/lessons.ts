/** Lesson of the course. The text is for readers of the page, and the guarded part of a lesson for members. */
export interface Lesson {
  /** Last part of its address. */
  readonly slug: string;
  readonly title: string;
  readonly minutes: number;
  /** True if everybody may read it. */
  readonly isFree: boolean;
  /** First sentences, which everybody may read. */
  readonly teaser: string;
  readonly paragraphs: readonly string[];
  /** Video in the gated folder, without its extension. */
  readonly video?: string;
}

/** Lessons of "The roast", in order. */
export const LESSONS: readonly Lesson[] = [
  {
    slug: 'the-fire',
    title: 'The fire',
    minutes: 4,
    isFree: true,
    teaser:
      'Oak burns slowly and evenly. Before any bean goes in, the drum waits for the fire, never the other way round.',
    paragraphs: [
      'Light the oak an hour early. Flames heat the air, but embers heat the iron, and only warm iron roasts a bean evenly. When the drum reads 196 °C and stays there for ten minutes, it is ready.',
      'Weigh six kilos of green coffee. It smells of hay and does not taste of anything yet. Write down the lot, the weight and the room’s temperature. You will want the log when the cup surprises you.',
      'Then open the hopper. The thermometer drops at once, and that is where the next lesson begins.',
    ],
  },
  {
    slug: 'the-curve',
    title: 'Reading the curve',
    minutes: 6,
    isFree: false,
    teaser:
      'Ten minutes of lot 31 in twenty seconds: the drop, the turning point, the yellow phase and the first crack.',
    paragraphs: [
      'The curve falls first. The beans are cold, the probe is warm, and both look for each other. At 92 °C, a minute and a half in, they agree: this is the turning point.',
      'From there the slope matters more than the number. Twenty degrees a minute until the beans turn yellow at 150 °C. Then slower: seven degrees a minute at the end, or the outside burns before the inside is done.',
      'Watch the drum while the line climbs. Green turns to straw, straw to cinnamon, cinnamon to chestnut. The line and the colour must tell the same story.',
    ],
    video: 'the-roast',
  },
  {
    slug: 'first-crack',
    title: 'First crack',
    minutes: 5,
    isFree: false,
    teaser: 'At 195 °C the beans begin to pop. What you do in the next ninety seconds decides the cup.',
    paragraphs: [
      'It sounds like popcorn two rooms away. Steam breaks the bean open, the curve flattens, and the smell changes from bread to caramel.',
      'Close the damper by a third when you hear the third pop. El Roble wants 78 seconds from here. A darker coffee wants longer, and no coffee wants to be forgotten.',
      'Pull one bean a quarter of a minute before you think it is done. Cut it. If the core is as brown as the shell, open the door.',
    ],
  },
  {
    slug: 'the-cup',
    title: 'What the cup says',
    minutes: 7,
    isFree: false,
    teaser: 'Two days of rest, eight cups, one spoon. How to taste a roast, and how to change the next one.',
    paragraphs: [
      'Let it rest for two days, in the dark. Gas leaves the bean and takes the sharpness along.',
      'Grass in the cup: the turning point came too early, so start hotter. Ash: the end was too steep, so close the damper sooner. Thin: it was done before it was sweet, so stretch the yellow phase.',
      'Change one thing at a time, and write it beside the curve. That is the whole craft, and the reason for the log.',
    ],
  },
];
