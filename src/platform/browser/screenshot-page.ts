import type { BlankPage } from './blank-page.ts';
import type { Screenshot, ScreenshotOptions } from './browser.ts';

/** Maximum side of an image in its own pixels; a limit of the browser. */
const MAX_SIDE = 16_384;
const VIEWPORT_HEIGHT = 800;

/** Returns one image per option of the whole document, at least one viewport high and at most 16,384 pixels. */
export async function screenshotPage(
  blank: BlankPage,
  html: string,
  shots: readonly ScreenshotOptions[],
): Promise<Screenshot[]> {
  const { cdp, show } = blank;
  const pictures: Screenshot[] = [];
  try {
    for (const shot of shots) {
      await emulateDevice(blank, shot);
      if (pictures.length === 0) await show(html);
      pictures.push(await capture(blank, shot));
    }
    return pictures;
  } finally {
    // A page that is gone has nothing to reset.
    cdp.send('Emulation.clearDeviceMetricsOverride').catch(() => {});
  }
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
  { width, pixelRatio = 1, mobile = false }: ScreenshotOptions,
): Promise<Screenshot> {
  const { cssContentSize: content } = await cdp.send('Page.getLayoutMetrics');
  // A phone scales a page that is not responsive so that its whole width is visible.
  const across = mobile ? Math.max(width, content.width) : width;
  const scale = width / across;
  const height = Math.min(Math.ceil(content.height), Math.floor(MAX_SIDE / pixelRatio / scale));
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: across, height, scale },
  });
  const png = Buffer.from(data, 'base64');
  // A PNG header has the width at byte 16 and the height at byte 20.
  return { png, width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
