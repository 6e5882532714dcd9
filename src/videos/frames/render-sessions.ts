import { createHash } from 'node:crypto';
import type { FoundBrowser } from '../../platform/browser/probe-browser.ts';
import { onceAsync } from '../../platform/once-async.ts';
import { readEngineFiles, shippedFonts } from '../engine-files.ts';
import type { RenderSessions } from './frames.ts';
import { openSession, type SessionDeps } from './open-session.ts';
import { startPageBrowser } from './page-browser.ts';

type SessionsDeps = Omit<SessionDeps, 'found'> & {
  /** @throws Fault not_configured.browser */
  readonly findBrowser: () => Promise<FoundBrowser>;
};

/** Increment when frames change without a change in the page's code. */
const ENGINE_VERSION = 2;

/** Opens each composition in its own browser on this machine. */
export function createRenderSessions(parts: SessionsDeps): RenderSessions {
  // A browser may be installed while this process runs, so a failure is not cached.
  const browser = onceAsync(parts.findBrowser);
  return { open, fingerprint: onceAsync(computeFingerprint) };

  async function open(...[composition, signal]: Parameters<RenderSessions['open']>) {
    return openSession(composition, { ...parts, found: await browser() }, signal);
  }

  async function computeFingerprint(): Promise<string> {
    const { launch, encoder } = parts;
    const started = await startPageBrowser(
      { width: 64, height: 64 },
      { found: await browser(), launch, frameControl: false },
    );
    await started.close();
    const code = createHash('sha256')
      .update(JSON.stringify([...readEngineFiles()]))
      .digest('hex');
    return [
      `engine ${ENGINE_VERSION}-${code.slice(0, 12)}`,
      `${started.name} ${process.platform}-${process.arch}`,
      encoder?.name ?? 'no encoder',
      shippedFonts().version,
    ].join('; ');
  }
}
