import type { CDPSession } from 'puppeteer-core';
import type { Composition } from '../composition/composition.ts';
import { readEngineFiles } from '../engine-files.ts';

/** Name of the binding through which page code sends messages to the host. */
export const HOST_BINDING = 'notifyHost';

/** Origin of every page, see page-server.ts. */
const ORIGIN = 'http://127.0.0.1';
/**
 * Space for the largest ring and one that is being removed. The limit keeps scripts from filling the machine's
 * memory.
 */
const STORAGE_QUOTA_BYTES = 128 * 1024 * 1024;

/**
 * Makes a page render the same on every machine: size, language, time zone, media features, and the clock of its
 * scripts.
 */
export async function preparePage(cdp: CDPSession, composition: Composition): Promise<void> {
  const { width, height, scripts, transparent } = composition;
  const clock = scripts ? readEngineFiles().get('clock.ts') : undefined;
  await Promise.all([
    cdp.send('Page.enable'),
    cdp.send('Runtime.enable'),
    cdp.send('Inspector.enable'),
    cdp.send('Network.enable'),
    cdp.send('Runtime.addBinding', { name: HOST_BINDING }),
    cdp.send('Storage.overrideQuotaForOrigin', { origin: ORIGIN, quotaSize: STORAGE_QUOTA_BYTES }),
    cdp.send('Emulation.setDeviceMetricsOverride', {
      ...{ width, height, screenWidth: width, screenHeight: height },
      ...{ deviceScaleFactor: 1, mobile: false },
    }),
    cdp.send('Emulation.setLocaleOverride', { locale: 'en-US' }),
    cdp.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
    cdp.send('Emulation.setEmulatedMedia', { media: 'screen', features: MEDIA_FEATURES }),
    cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ...(transparent ? [cdp.send(SET_BACKGROUND, { color: NOTHING })] : []),
    ...(clock === undefined ? [] : [cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: clock })]),
  ]);
}

const SET_BACKGROUND = 'Emulation.setDefaultBackgroundColorOverride';
const NOTHING = { r: 0, g: 0, b: 0, a: 0 };

/** Does something while a transparent page is on white again. */
export async function onWhite<Result>(cdp: CDPSession, work: () => Promise<Result>): Promise<Result> {
  await cdp.send(SET_BACKGROUND, {});
  const result = await work();
  await cdp.send(SET_BACKGROUND, { color: NOTHING });
  return result;
}

const MEDIA_FEATURES = [
  { name: 'prefers-color-scheme', value: 'light' },
  { name: 'prefers-reduced-motion', value: 'no-preference' },
  { name: 'prefers-contrast', value: 'no-preference' },
  { name: 'forced-colors', value: 'none' },
];
