import { withTimeout } from '../platform/with-timeout.ts';

export type ClipFacts = {
  /** Seconds. */
  readonly duration?: number;
  readonly width?: number;
  readonly height?: number;
};

const TIMEOUT_MS = 5_000;

/** The duration and size of a sound or clip, as far as its container says; nothing of what can't be read. */
export async function readClipFacts(path: string): Promise<ClipFacts> {
  const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny');
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const read = async (): Promise<ClipFacts> => {
      const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
      const video = await input.getPrimaryVideoTrack();
      return {
        ...(Number.isFinite(duration) && { duration: Math.round(duration * 1000) / 1000 }),
        ...(video && { width: video.displayWidth, height: video.displayHeight }),
      };
    };
    return await withTimeout(read(), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return {};
  } finally {
    input.dispose();
  }
}
