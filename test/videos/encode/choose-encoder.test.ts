import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from '../../../src/videos/encode/ffmpeg.ts';
import { chooseEncoder } from '../../../src/videos/encode/ffmpeg-encoder.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-encoder-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the encoder is the ffmpeg of the PATH, named with its version', async () => {
  expect(chooseEncoder(await findFfmpeg())?.name).toMatch(/^ffmpeg \d[\w.:+~-]* libx264$/);
});

test.each([
  ['no folder', ''],
  ['a folder that is not there', '/nowhere/at/all'],
  ['a folder relative to this one, from which nothing is run', '.'],
])('with a PATH of %s there is no encoder', async (_, path) => {
  expect(chooseEncoder(await findFfmpeg(path))).toBeUndefined();
});

test.each([
  ['that does not run', '#!/bin/sh\nexit 1'],
  ['that says nothing of itself', '#!/bin/sh\necho hello'],
  [
    'without H.264',
    '#!/bin/sh\ncase "$*" in *-version) echo "ffmpeg version 9.9";; *) echo " A....D aac AAC";; esac',
  ],
])('an ffmpeg %s is no encoder', async (name, script) => {
  const place = await mkdtemp(join(folder, 'bin-'));
  await writeFile(join(place, 'ffmpeg'), script);
  expect(chooseEncoder(await findFfmpeg(place)), `${name}, which may not be run`).toBeUndefined();
  const other = await mkdtemp(join(folder, 'bin-'));
  await writeFile(join(other, 'ffmpeg'), script);
  await chmod(join(other, 'ffmpeg'), 0o755);
  expect(chooseEncoder(await findFfmpeg(other))).toBeUndefined();
});
