import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearClipMetadata } from '../../src/assets/clip-metadata.ts';
import { stripMetadata } from '../../src/assets/strip-metadata.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const noise = () =>
  sharp(Buffer.from(Array.from({ length: 30 * 20 * 3 }, (_, index) => (index * 37) % 251)), {
    raw: { width: 30, height: 20, channels: 3 },
  }).withExif({ IFD0: { Copyright: 'secret-place', ImageDescription: 'secret-place' } });

test.each(['jpeg', 'png', 'webp'] as const)('of a %s, the pixels stay and the rest goes', async (format) => {
  const bytes = Buffer.concat([await noise().toFormat(format).toBuffer(), Buffer.from('<script>')]);
  const stripped = stripMetadata(bytes, `image/${format}`) ?? Buffer.alloc(0);
  expect(bytes.includes('secret-place')).toBe(true);
  expect([stripped.includes('secret-place'), stripped.includes('<script>')]).toEqual([false, false]);
  const pixels = (one: Buffer) => sharp(one).raw().toBuffer();
  expect((await pixels(stripped)).equals(await pixels(bytes))).toBe(true);
});

test('an animation keeps its frames and how often it runs', async () => {
  const frames = Buffer.from(Array.from({ length: 16 * 32 * 3 }, (_, index) => (index * 91) % 253));
  const gif = await sharp(frames, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
    .gif({ loop: 3, delay: [100, 200] })
    .toBuffer();
  const comment = Buffer.from('\x21\xfe\x06secret\0', 'latin1');
  const bytes = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
  const stripped = stripMetadata(bytes, 'image/gif') ?? Buffer.alloc(0);
  expect(stripped.includes('secret')).toBe(false);
  expect(await sharp(stripped, { animated: true }).metadata()).toMatchObject({
    pages: 2,
    loop: 3,
    delay: [100, 200],
  });
});

test.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])(
  'a broken %s is no picture',
  async (type) => {
    const heads: Record<string, string> = {
      'image/jpeg': '\xff\xd8\xff\xe0\xff',
      'image/gif': 'GIF89a\x01\0\x01\0\x80\0\0,',
    };
    expect(
      stripMetadata(Buffer.from(heads[type] ?? '\x89PNG\r\n\x1a\n\xff\xff', 'latin1'), type),
    ).toBeUndefined();
  },
);

test('the place of a clip becomes free space, and everything else stays where it is', async () => {
  const box = (type: string, content: Buffer | string) => {
    const body = Buffer.from(content);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const clip = (where: Buffer) =>
    Buffer.concat([
      box('ftyp', 'mp42'),
      box('moov', Buffer.concat([box('mvhd', 'x'), where])),
      box('mdat', 'film'),
    ]);
  const path = join(folder, 'clip.mp4');
  await writeFile(path, clip(box('udta', '+52.5+013.4/')));
  await clearClipMetadata(path);
  expect(await readFile(path)).toEqual(clip(box('free', Buffer.alloc(12))));
  await writeFile(path, 'not a clip at all');
  await clearClipMetadata(path);
  expect(await readFile(path, 'utf8')).toBe('not a clip at all');
});
