/** One reading: minutes since the start of the roast, and the temperature of the beans. */
export interface RoastReading {
  minute: number;
  celsius: number;
  note?: string;
}

/** The lot of the week, for members only. */
export const thisWeeksLot = {
  lot: 31,
  name: 'El Roble',
  origin: 'Guatemala, Huehuetenango',
  process: 'Honey',
  kilos: 9,
  recipe: { grams: 16, water: 260, celsius: 93, seconds: 150 },
  nextTable: 'Friday, half past six, back room, Wren Street 14',
} as const;

/** Readings of the roast. */
export const roastLog: readonly RoastReading[] = [
  { minute: 0, celsius: 196, note: 'Beans in' },
  { minute: 0.4, celsius: 148 },
  { minute: 0.8, celsius: 113 },
  { minute: 1.2, celsius: 96 },
  { minute: 1.5, celsius: 92, note: 'Turning point' },
  { minute: 2, celsius: 97 },
  { minute: 3, celsius: 116 },
  { minute: 4, celsius: 134 },
  { minute: 5, celsius: 150, note: 'Yellow' },
  { minute: 6, celsius: 164 },
  { minute: 7, celsius: 177 },
  { minute: 8, celsius: 188 },
  { minute: 8.7, celsius: 195, note: 'First crack' },
  { minute: 9.3, celsius: 200 },
  { minute: 10, celsius: 206, note: 'Out' },
];
