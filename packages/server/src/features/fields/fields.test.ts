import { describe, expect, it } from 'vitest';
import { clientRecords } from '../clients/client.resource.js';
import { nameField, textField } from './fields.js';

const FIELDS = [
  ['name', nameField],
  ['description of a plan', textField('description', 200, 'many')],
  ['description of an app', clientRecords.create.body.shape.description],
] as const;

describe.each(FIELDS)('%s', (_, field) => {
  it.each([
    ['180 marks', `Shop${'\u0323'.repeat(180)}`],
    ['5 marks with joiners between them', `Sho${'\u0323\u200d'.repeat(5)}p`],
    ['5 different marks', 'Shop\u0332\u20dd\u0489\u0316\u0331'],
  ])('with %s on a letter is rejected, because they cover the lines around it', (_marks, text) => {
    expect(field.safeParse(text).error?.issues[0]?.message).toContain('marks');
  });

  it.each(['Cafe\u0301', 'Vie\u0323\u0302t', 'שָׁ֑לוֹם', 'မြို့', 'ที่นี่', 'हिन्दी', '1\ufe0f\u20e3 Club', 'བརྒྱུད'])(
    '%j is accepted',
    (text) => {
      expect(field.parse(text)).toBe(text);
    },
  );
});
