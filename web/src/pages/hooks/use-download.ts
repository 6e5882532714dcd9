import { useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import type { listHistory } from '../../api/operations.gen.ts';

export type HistoryItem = Output<typeof listHistory>['items'][number];
export type Format = 'txt' | 'csv' | 'json';

/** Downloads, and the fault of the last one. */
export function useDownload() {
  const [failed, setFailed] = useState<ApiFault | null>(null);
  const keep = (work: () => Promise<void>) => {
    setFailed(null);
    work().catch((error: unknown) => {
      if (!(error instanceof ApiFault)) throw error;
      setFailed(error);
    });
  };
  return { failed, keep };
}
