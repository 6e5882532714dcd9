import { expect, test } from 'vitest';
import { createPictures } from '../../src/assets/pictures.ts';

test('pictures inside a drawing have together no more pixels than one picture', async () => {
  const { default: sharp } = await import('sharp');
  const wide = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: 'red' } })
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();
  const image = `<image width="1" height="1" href="data:image/png;base64,${wide.toString('base64')}"/>`;
  const drawing = (inside: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${inside}</svg>`);
  const pictures = createPictures();
  const clean = (inside: string) =>
    pictures.clean(drawing(inside), 'image/svg+xml', 'a.svg', { accountId: 'acc_1' });
  await expect(clean(image)).resolves.toMatchObject({ width: 1 });
  await expect(clean(image.repeat(2))).rejects.toMatchObject({ key: 'too_large.asset_pixels' });
});
