/** An article for members. */
export interface Note {
  name: string;
  title: string;
  /** Public part. */
  opening: string;
  /** Part for members. */
  rest: string;
}

export const notes: readonly Note[] = [
  {
    name: 'first-crack',
    title: 'Listening for first crack',
    opening: 'A roast tells you where it is by its sound, if the room is quiet enough.',
    rest: 'At 196 °C the beans begin to pop like dry twigs. From there we count: ninety seconds for the Huila, a little more for the Sidamo, and never past the second silence.',
  },
  {
    name: 'resting',
    title: 'Why we wait eight days',
    opening: 'Fresh is good. Too fresh is sour, and foams over the rim of the cup.',
    rest: 'Most of the gas leaves in the first week. We cupped the same batch every morning for a month: day eight won, day twelve came second, and day one came last.',
  },
];

export function findNote(name: string): Note | undefined {
  return notes.find((note) => note.name === name);
}
