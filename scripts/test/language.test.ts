import { describe, expect, it } from 'vitest';
import { checkLanguage } from '../language/rules.mjs';
import { parseSource } from '../source-files.mjs';

function rulesBrokenBy(text: string, file = 'example.ts'): string[] {
  return checkLanguage(parseSource(file, text)).map(({ rule }) => rule);
}

describe('docstrings', () => {
  it.each(['What', 'Who', 'Whose', 'Whether', 'How', 'One of', 'As'])(
    'must not open with "%s"',
    (opening) => {
      expect(rulesBrokenBy(`/** ${opening} the plans. */\nexport const plans = 1;`)).toEqual([
        `opens with ${opening}`,
      ]);
      expect(
        rulesBrokenBy(`/**\n * ${opening.toLowerCase()}\n * the plans.\n */\nconst a = 1;`),
      ).toHaveLength(1);
    },
  );

  it('may use those words anywhere else', () => {
    expect(rulesBrokenBy('/** Returns what one of the plans costs. */\nconst a = 1;')).toEqual([]);
    expect(rulesBrokenBy('/** However many plans, Assets, Whatever. */\nconst a = 1;')).toEqual([]);
  });

  it('must have no sentence of more than 30 words', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    expect(rulesBrokenBy(`/** ${words(30)}. Another ${words(20)}. */\nconst a = 1;`)).toEqual([]);
    expect(rulesBrokenBy(`/** Short. ${words(31)}. */\nconst a = 1;`)).toEqual(['long sentence']);
    expect(rulesBrokenBy(`/**\n * Text.\n * @param a ${words(31)}\n */\nconst a = 1;`)).toEqual([
      'long sentence',
    ]);
  });

  it('count list items and paragraphs as sentences of their own, code as one word, and examples not at all', () => {
    const twenty = Array.from({ length: 20 }, () => 'word').join(' ');
    expect(rulesBrokenBy(`/**\n * ${twenty}\n *\n * ${twenty}\n */\nconst a = 1;`)).toEqual([]);
    expect(rulesBrokenBy(`/**\n * - ${twenty}\n * - ${twenty}\n */\nconst a = 1;`)).toEqual([]);
    expect(rulesBrokenBy(`/** ${twenty} \`${twenty}\` */\nconst a = 1;`)).toEqual([]);
    expect(rulesBrokenBy(`/** Text.\n * @example\n * ${twenty} ${twenty}\n */\nconst a = 1;`)).toEqual([]);
  });
});

describe('banned words', () => {
  it.each([
    ['// somebody has it', 'somebody'],
    ['/* Built anew. */', 'anew'],
    ['/** The member who has it. */', 'who has'],
    ['// the member who\n// has it', 'who has'],
    ['// a lapsed plan', 'lapse'],
    ['const keepsakeStore = 1;', 'keepsake'],
    ['class Torment {}', 'torment'],
    ['const WHO_HAS_IT = 1;', 'who has'],
    ['object.isTold();', 'is told'],
  ])('are found in %s', (text, rule) => {
    expect(rulesBrokenBy(text)).toEqual([rule]);
  });

  it('are found in the elements of a page', () => {
    expect(rulesBrokenBy('const page = <Keepsake>text</Keepsake>;', 'page.tsx')).toEqual(['keepsake']);
  });

  it('are allowed in texts and in the names of columns', () => {
    expect(rulesBrokenBy("const text = 'Nobody // has somebody';")).toEqual([]);
    expect(rulesBrokenBy('const page = <p>Nobody</p>;', 'page.tsx')).toEqual([]);
    expect(rulesBrokenBy('const column = row.lapse_announced_at;')).toEqual([]);
  });

  it('are not found inside longer words', () => {
    expect(rulesBrokenBy('// elapsed time, a canewood chair\nconst elapsedTime = 1;')).toEqual([]);
  });
});

it('names the file and the line', () => {
  expect(checkLanguage(parseSource('folder/file.mjs', '\n\n// somebody\n'))).toMatchObject([
    { file: 'folder/file.mjs', line: 3 },
  ]);
});
