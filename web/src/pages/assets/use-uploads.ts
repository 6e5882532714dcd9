import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import { listAssets } from '../../api/operations.gen.ts';
import { pathOf } from './paths.ts';
import { putFile, type Stored } from './upload.ts';

/** A file on its way, or one that was refused: those that are stored are in the list. */
export type Upload = {
  readonly id: number;
  readonly path: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly refusal?: string;
};

/** The server takes so many bodies of one caller at a time. */
const CONCURRENCY = 3;

/** Uploads files, a few at a time. One that is refused says why, and holds up no other. */
export function useUploads(folder: string, onStored?: (asset: Stored) => void) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const dismiss = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));

  async function uploadOne({ id, path }: Upload, file: File): Promise<void> {
    try {
      const stored = await putFile(path, file, (share) => change(id, { share }));
      dismiss(id);
      onStored?.(stored);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      change(id, { share: 1, refusal: error.message });
    }
  }

  async function upload(files: readonly File[]): Promise<void> {
    const waiting = files.map((file) => ({
      file,
      entry: { id: newId(), path: pathOf(folder, file.name), share: 0 },
    }));
    const entries = waiting.map(({ entry }) => entry);
    setUploads((all) => [...all, ...entries]);
    const lanes = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await uploadOne(next.entry, next.file);
    });
    await Promise.all(lanes);
    await queries.invalidateQueries({ queryKey: [listAssets] });
  }

  return { uploads, upload: (files: readonly File[]) => void upload(files), dismiss };
}

let count = 0;
function newId(): number {
  count += 1;
  return count;
}
