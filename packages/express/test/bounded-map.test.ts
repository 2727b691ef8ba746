import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../src/platform/bounded-map.js';

describe('a bounded map', () => {
  it('never exceeds its capacity', () => {
    const map = new BoundedMap<number, string>(10);
    for (let key = 0; key < 1000; key += 1) {
      map.set(key, `value ${key}`);
      expect(map.size).toBeLessThanOrEqual(10);
    }
  });

  it('keeps recently and repeatedly used entries', () => {
    const map = new BoundedMap<number, string>(10);
    map.set(-1, 'used all the time');
    for (let key = 0; key < 100; key += 1) {
      map.set(key, `value ${key}`);
      expect(map.get(-1)).toBe('used all the time');
    }
    expect([99, 98, 97].map((key) => map.has(key))).toEqual([true, true, true]);
    expect(map.get(1)).toBeUndefined();
  });

  it('returns the newest value of a key, even when an older one is about to be dropped', () => {
    const map = new BoundedMap<string, number>(4);
    map.set('a', 1);
    map.set('b', 1);
    map.set('c', 1);
    map.set('a', 2);
    expect([map.get('a'), map.size]).toEqual([2, 3]);
  });

  it('drops deleted entries', () => {
    const map = new BoundedMap<string, number>(4);
    for (const key of ['a', 'b', 'c']) map.set(key, 1);
    map.delete('a');
    map.delete('c');
    expect([map.has('a'), map.get('b'), map.has('c')]).toEqual([false, 1, false]);
  });
});
