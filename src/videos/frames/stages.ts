import { createHash } from 'node:crypto';
import type { FoundBrowser } from '../../platform/browser/says-version.ts';
import { onceAsync } from '../../platform/once-async.ts';
import { shippedFonts } from '../fonts/shipped-fonts.ts';
import { readPageSources } from '../page-sources.ts';
import { openStage, type StageParts } from './open-stage.ts';
import type { Stages } from './stage.ts';
import { startStageBrowser } from './stage-browser.ts';

type Parts = Omit<StageParts, 'found'> & {
  /** @throws Fault not_configured.browser */
  readonly findBrowser: () => Promise<FoundBrowser>;
};

/** Raised when frames come out another way, although no code of the page was changed. */
const ENGINE = 1;

/** Opens compositions in browsers of this machine, one for each. */
export function createStages(parts: Parts): Stages {
  // It may be installed while this process runs: that there is none is not kept.
  const browser = onceAsync(parts.findBrowser);
  return { open, fingerprint: onceAsync(takeFingerprint) };

  async function open(...[composition, signal]: Parameters<Stages['open']>) {
    return openStage(composition, { ...parts, found: await browser() }, signal);
  }

  async function takeFingerprint(): Promise<string> {
    const { launch, encoder } = parts;
    const started = await startStageBrowser(
      { width: 64, height: 64 },
      { found: await browser(), launch, frameControl: false },
    );
    await started.close();
    const code = createHash('sha256')
      .update(JSON.stringify([...readPageSources()]))
      .digest('hex');
    return [
      `engine ${ENGINE}-${code.slice(0, 12)}`,
      `${started.name} ${process.platform}-${process.arch}`,
      encoder?.name ?? 'no encoder',
      shippedFonts().version,
    ].join('; ');
  }
}
