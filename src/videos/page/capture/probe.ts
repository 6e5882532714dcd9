import type { VideoConfig } from './messages.ts';
import { createPainter, wrapStage } from './painter.ts';

const SIDE = 64;
/** As wide stripes, from left to right. */
const COLORS = [
  ['red', 255, 0, 0],
  ['lime', 0, 255, 0],
  ['blue', 0, 0, 255],
  ['white', 255, 255, 255],
] as const;

/** Returns why the browser cannot paint elements onto a canvas; empty when it can. */
export async function probePainting(): Promise<{ readonly reason?: string }> {
  const missing = missingPart();
  if (missing !== undefined) return { reason: `the browser has no ${missing}` };
  const flag = document.createElement('div');
  const stripes = COLORS.map(([name], index) => `${name} ${index * 25}% ${(index + 1) * 25}%`);
  const style = `all: unset; display: block; width: ${SIDE}px; height: ${SIDE}px`;
  flag.setAttribute('style', `${style}; background: linear-gradient(90deg, ${stripes})`);
  // Outside the body, so that template rules that count children are unaffected.
  document.documentElement.append(flag);
  const { canvas, holder, unwrap } = wrapStage(flag, { width: SIDE, height: SIDE });
  try {
    return await compare(await createPainter(canvas, holder, { whole: true }).paint(0));
  } catch (error) {
    return { reason: String(error) };
  } finally {
    unwrap();
    flag.remove();
  }
}

/** Returns the codecs that the browser can encode. */
export async function probeEncoders(configs: readonly VideoConfig[]): Promise<string[]> {
  if (!('VideoEncoder' in globalThis)) return [];
  const answers = await Promise.all(configs.map((config) => VideoEncoder.isConfigSupported(config)));
  return configs.filter((_, index) => answers[index]?.supported).map(({ codec }) => codec);
}

function missingPart(): string | undefined {
  const parts = {
    drawElementImage: 'drawElementImage' in CanvasRenderingContext2D.prototype,
    requestPaint: 'requestPaint' in HTMLCanvasElement.prototype,
    moveBefore: 'moveBefore' in Element.prototype,
    VideoFrame: 'VideoFrame' in globalThis,
    'private files': 'storage' in navigator && 'getDirectory' in navigator.storage,
  };
  return Object.entries(parts).find(([, has]) => !has)?.[0];
}

async function compare(picture: VideoFrame): Promise<{ readonly reason?: string }> {
  const pixels = new Uint8Array(SIDE * SIDE * 4);
  const { format } = picture;
  const [layout] = await picture.copyTo(pixels);
  picture.close();
  const stride = layout?.stride ?? 0;
  for (const [index, [name, red, green, blue]] of COLORS.entries()) {
    const at = (SIDE / 2) * stride + ((index + 0.5) / COLORS.length) * SIDE * 4;
    const found = [...pixels.subarray(at, at + 3)];
    const expected = format?.startsWith('B') ? [blue, green, red] : [red, green, blue];
    if (String(found) !== String(expected)) return { reason: `the browser painted ${found} for ${name}` };
  }
  return {};
}
