import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { readEngineFiles } from '../../src/videos/engine-files.ts';

test('the code of pages is JavaScript, by its path, and read once', () => {
  const sources = readEngineFiles();
  expect([...sources.keys()]).toEqual(expect.arrayContaining(['clock.ts', 'player.ts', 'page.ts']));
  expect([...sources.values()].filter((text) => /^\s*(import|export) type |^type /m.test(text))).toEqual([]);
  expect(readEngineFiles()).toBe(sources);
});

test('the clock is a classic script, so that it can run before every other', () => {
  const clock = readEngineFiles().get('clock.ts') ?? '';
  expect(() => new Script(clock)).not.toThrow();
});
