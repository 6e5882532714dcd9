import { afterAll, expect, test } from 'vitest';
import { createLauncher } from '../../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../../src/platform/browser/resolve-browser.ts';
import { openPage } from '../../../src/videos/frames/open-page.ts';
import { screenshotAt } from '../../../src/videos/frames/screenshots.ts';
import { pngToI420, psnr } from '../../../src/videos/frames/self-check.ts';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import { silentLog } from '../../support/app.ts';
import { createComposedBuiltIns } from '../../support/composed-built-ins.ts';
import { framesOf, patient } from './painted-pages.ts';

/** Above the 33 dB of the renderer's own check, so that small changes of a browser do not fail it. */
const LEAST_DB = 34;
const MOMENTS = [0.1, 0.5, 0.9, 0.985];
/** Small, where letters are of few pixels. */
const SIZE = { width: 270, height: 480 };

const builtIns = await readBuiltIns();
const composed = createComposedBuiltIns(builtIns);
afterAll(() => composed.close());

test.each(builtIns.templates.map((template) => [template.name, template] as const))(
  '%s is painted as the browser shows it, in small too',
  async (_, template) => {
    const composition = await composed.compose(template, '9:16', { size: SIZE });
    const found = await resolveBrowser({
      executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
      log: silentLog,
    });
    const page = await openPage(composition, { found, launch: createLauncher(silentLog), signal: patient });
    const poor: string[] = [];
    for (const moment of MOMENTS) {
      const frame = Math.floor(moment * composition.frames);
      const [painted] = await framesOf(page, { from: frame, to: frame + 1 });
      const shown = await screenshotAt(page, frame, { format: 'png', optimizeForSpeed: true }, patient);
      const near = painted ? psnr(await pngToI420(shown), painted.bytes) : 0;
      if (near < LEAST_DB) poor.push(`frame ${frame} of ${composition.frames}: ${near.toFixed(1)} dB`);
    }
    await page.close();
    expect(poor).toEqual([]);
  },
);
