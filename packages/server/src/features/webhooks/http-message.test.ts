import { describe, expect, it } from 'vitest';
import { prettyJson } from './delivery.pages.js';

describe('JSON of a delivery', () => {
  it('has line breaks and indents, and its tokens stay as they are', () => {
    expect(prettyJson('{"a":[1.0,{"b":12345678901234567890}],"c":{},"d":"x: {y}"}')).toBe(
      ['{', '  "a": [', '    1.0,', '    {', '      "b": 12345678901234567890', '    }', '  ],', '  "c": {},']
        .concat(['  "d": "x: {y}"', '}'])
        .join('\n'),
    );
  });

  it('is undefined for a text that is no JSON', () => {
    expect(prettyJson('{"a":')).toBeUndefined();
  });

  it('of a hostile endpoint, nested without end, does not become a page of many megabytes', () => {
    const nested = `${'['.repeat(1_024)}${']'.repeat(1_024)}`;
    const objects = `${'{"a":'.repeat(340)}1${'}'.repeat(340)}`;
    for (const text of [nested, objects]) {
      expect(prettyJson(text)?.length).toBeLessThan(50 * text.length);
      expect(prettyJson(text)?.replaceAll(/\s/g, '')).toBe(text);
    }
  });
});
