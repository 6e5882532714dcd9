import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isRunning, type RunRecord } from './run-state.tsx';

/** Follows a run while it goes on and the page is open. What follows is loaded then: most runs have ended. */
export function useFollowedRun(run: RunRecord | undefined): void {
  const queries = useQueryClient();
  const id = run && isRunning(run) ? run.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    const gone = new AbortController();
    void import('./followed-run.ts').then(({ followRun }) => followRun(id, queries, gone.signal));
    return () => gone.abort();
  }, [id, queries]);
}
