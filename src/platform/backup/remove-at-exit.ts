import { rmSync } from 'node:fs';

/**
 * Removes a file or folder if the process ends before the returned function is called, such as after Ctrl-C,
 * but not after a kill.
 */
export function removeAtExit(path: string): () => void {
  const remove = () => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The next backup removes it.
    }
  };
  process.once('exit', remove);
  return () => process.off('exit', remove);
}
