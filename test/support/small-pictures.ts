import { PNG } from 'pngjs';

/** A picture whose samples are red, green and blue, a byte each. */
export type SmallPicture = { readonly width: number; readonly height: number; readonly rgb: Uint8Array };

/** Reads a PNG picture and makes it so many times smaller; its sides must be divisible by that. */
export function readPicture(png: Uint8Array, times = 1): SmallPicture {
  const { data, ...size } = PNG.sync.read(Buffer.from(png));
  const [width, height] = [size.width / times, size.height / times];
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at++) {
    const pixel = Math.floor(at / 3);
    const left = (pixel % width) * times;
    const top = Math.floor(pixel / width) * times;
    rgb[at] = mean(left, top, at % 3);
  }
  return { width, height, rgb };

  function mean(left: number, top: number, channel: number): number {
    let sum = 0;
    for (let y = top; y < top + times; y++) {
      for (let x = left; x < left + times; x++) sum += data[(y * size.width + x) * 4 + channel] ?? 0;
    }
    return Math.round(sum / times ** 2);
  }
}

/** As PNG. */
export function writePicture({ width, height, rgb }: SmallPicture): Uint8Array {
  const png = new PNG({ width, height });
  for (let pixel = 0; pixel < width * height; pixel++) {
    png.data.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    png.data[pixel * 4 + 3] = 255;
  }
  return PNG.sync.write(png, { colorType: 2, deflateLevel: 9 });
}
