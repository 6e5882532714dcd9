import { z } from 'zod';
import type { Ability } from './choose-path.ts';
import { inPageCodecs } from './in-page-codecs.ts';
import type { OpenPage } from './open-page.ts';

const MODULE = 'sources/probe.ts';
/** The largest pictures of the usual kind. */
const PICTURE = { width: 1080, height: 1920, fps: 30 };

/** @returns a function that tells what the browser of a page can do: each version of a browser is asked once */
export function createProbe() {
  const known = new Map<string, Ability>();
  return probe;

  /** @throws Error when the page does not answer; Fault video_failed.crashed; and the signal's reason */
  async function probe(page: OpenPage, signal: AbortSignal): Promise<Ability> {
    const { browser, composition } = page;
    const key = `${browser.kind} ${browser.name}`;
    const ability = known.get(key) ?? (await ask(page, signal));
    // What a template's own scripts may have had a hand in says nothing of other pages.
    if (!composition.scripts) known.set(key, ability);
    return ability;
  }
}

async function ask(page: OpenPage, signal: AbortSignal): Promise<Ability> {
  const options = { signal, ms: page.limits.answerMs };
  const firstCodec = async (format: 'mp4' | 'webm') => {
    const configs = inPageCodecs(PICTURE, format, 'standard');
    const codecs = Codecs.parse(await page.call<unknown>(MODULE, 'probeEncoders', [configs], options));
    return codecs[0];
  };
  const [painting, mp4, webm] = await Promise.all([
    page.call<unknown>(MODULE, 'probePainting', [], options).then((said) => Painting.parse(said)),
    firstCodec('mp4'),
    firstCodec('webm'),
  ]);
  return { canvas: painting.reason === undefined, encoders: { mp4, webm }, ...painting };
}

const Painting = z.object({ reason: z.string().exactOptional() });
const Codecs = z.array(z.string());
