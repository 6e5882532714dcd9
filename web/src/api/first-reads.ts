import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** After this, what is here is shown without the rest. */
const PATIENCE_MS = 4_000;

/**
 * Whether every first answer that the parts of a page wait for is here. A page that shows its parts together moves none of
 * them under the reader's eyes.
 */
export function useFirstReads(): boolean {
  const queries = useQueryClient();
  const [areHere, setHere] = useState(false);
  useEffect(() => {
    // The parts' own effects ran before this one, so their calls are on their way.
    const check = () => {
      if (queries.isFetching({ predicate: ({ state }) => state.status === 'pending' }) === 0) setHere(true);
    };
    check();
    const timer = setTimeout(() => setHere(true), PATIENCE_MS);
    const stop = queries.getQueryCache().subscribe(() => queueMicrotask(check));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [queries]);
  return areHere;
}
