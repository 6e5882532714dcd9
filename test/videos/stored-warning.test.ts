import { expect, test } from 'vitest';
import { localizeWarning, plainReader } from '../../src/language.ts';
import { StoredWarnings, storeWarnings } from '../../src/videos/stored-warning.ts';

test('a stored warning that only a newer release knows is told by its code', () => {
  const [warning] = StoredWarnings.parse([{ key: 'video_upside_down', field: 'data.photo' }]);
  expect(warning && localizeWarning(warning, plainReader('en'))).toEqual({
    code: 'warning_unknown',
    message: expect.stringContaining('does not know: video_upside_down.'),
    field: 'data.photo',
  });
});

test('warnings are stored once each, without characters that a database cannot store', () => {
  const warning = { key: 'video_opaque', field: 'a\0b\ud800' } as const;
  expect(storeWarnings([warning, warning])).toEqual([{ key: 'video_opaque', field: 'a\uFFFDb\uFFFD' }]);
});
