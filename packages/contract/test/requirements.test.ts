import { REQUIREMENTS } from '@latchkey/contract/requirements';
import { describe, expect, it } from 'vitest';

describe('the requirements', () => {
  it('have unique ids of the form area.rule-in-kebab-case', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('have a text of one sentence and a section of the spec', () => {
    expect(REQUIREMENTS.filter(({ text }) => !/^\S+ .* .*\.$/.test(text)).map(({ id }) => id)).toEqual([]);
    expect(REQUIREMENTS.filter(({ section }) => section === '')).toEqual([]);
  });
});
