import { loadSharp } from '../load-sharp.ts';
import type { BlankPage } from './blank-page.ts';
import type { Screenshot, ScreenshotOptions } from './browser.ts';
import { colorEmoji } from './color-emoji.ts';
import { freezeMotion } from './freeze-motion.ts';
import { findMissingGlyphs } from './missing-glyphs.ts';
import { readBlocks } from './page-blocks.ts';

/** Maximum side of an image in its own pixels; a limit of the browser. */
const MAX_SIDE = 16_384;
const VIEWPORT_HEIGHT = 800;

// Chromium paints a document at about:blank dark as soon as dark is preferred, even one that is not made for it, and black
// text with it. Other documents are white then, unless their color-scheme says dark; `Canvas` is what they are.
const PAINT_CANVAS = `(() => {
  const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get.call(document);
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body').get.call(document);
  const isBare = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none';
  };
  if (![root, body].every((element) => !element || isBare(element))) return;
  const sheets = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets').get.call(document);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { background-color: Canvas !important }');
  sheets.push(sheet);
})()`;

/**
 * Takes one image per option of the whole document, at least one viewport high and at most `maxHeight`. Compact ones are
 * still being written when the page is free again.
 */
export async function screenshotPage(
  blank: BlankPage,
  html: string,
  shots: readonly ScreenshotOptions[],
): Promise<Promise<Screenshot>[]> {
  const { cdp, show } = blank;
  const pictures: Promise<Screenshot>[] = [];
  let missingGlyphs: readonly string[] = [];
  try {
    for (const shot of shots) {
      await emulateDevice(blank, shot);
      if (pictures.length === 0) {
        await show(html);
        await colorEmoji({ cdp, html });
        missingGlyphs = await findMissingGlyphs({ cdp, html });
      }
      await freezeMotion(cdp);
      await cdp.send('Runtime.evaluate', { expression: PAINT_CANVAS });
      const blocks = shot.withBlocks ? { blocks: await readBlocks(cdp) } : {};
      const { png, ...rest } = await capture(blank, shot);
      const picture = writePng(png, shot).then((written) => ({
        ...rest,
        missingGlyphs,
        ...blocks,
        png: written,
      }));
      // A later image may fail before anyone waits for this one.
      picture.catch(() => {});
      pictures.push(picture);
    }
    return pictures;
  } finally {
    // A page that is gone has nothing to reset.
    cdp.send('Emulation.clearDeviceMetricsOverride').catch(() => {});
  }
}

/**
 * The browser writes an image in 0.1 s less if it may be larger. Compact images are written again in a thread. Filters make photos
 * smaller, and text larger.
 */
async function writePng(png: Uint8Array, { compact = false }: ScreenshotOptions): Promise<Uint8Array> {
  if (!compact) return png;
  const sharp = await loadSharp();
  const write = (adaptiveFiltering: boolean) =>
    sharp(png, { sequentialRead: true, ignoreIcc: true })
      .png({ compressionLevel: 6, adaptiveFiltering })
      .toBuffer();
  const plain = await write(false);
  return plain.length < png.length ? plain : write(true);
}

async function emulateDevice({ cdp }: BlankPage, shot: ScreenshotOptions): Promise<void> {
  const { width, colorScheme, pixelRatio = 1, mobile = false } = shot;
  await cdp.send('Emulation.setEmulatedMedia', {
    media: 'screen',
    features: [{ name: 'prefers-color-scheme', value: colorScheme }],
  });
  const height = VIEWPORT_HEIGHT;
  await cdp.send('Emulation.setDeviceMetricsOverride', {
    ...{ width, height, screenWidth: width, screenHeight: height },
    ...{ deviceScaleFactor: pixelRatio, mobile },
  });
}

async function capture(
  { cdp }: BlankPage,
  { width, pixelRatio = 1, mobile = false, maxHeight: limit = MAX_SIDE }: ScreenshotOptions,
): Promise<Omit<Screenshot, 'missingGlyphs'>> {
  const { cssContentSize: content } = await cdp.send('Page.getLayoutMetrics');
  // A phone scales a page that is not responsive so that its whole width is visible.
  const across = mobile ? Math.max(width, content.width) : width;
  const scale = width / across;
  const whole = Math.ceil(content.height);
  const height = Math.min(whole, Math.floor(limit / pixelRatio / scale));
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: across, height, scale },
  });
  const png = Buffer.from(data, 'base64');
  // A PNG header has the width at byte 16 and the height at byte 20.
  const picture = { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
  if (height === whole) return picture;
  return { ...picture, cut: { height: Math.ceil(whole * scale * pixelRatio), limit } };
}
