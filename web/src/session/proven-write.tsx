import { lazy, type ReactNode, Suspense, useRef } from 'react';
import type { Input, Operation } from '../api/operation.ts';
import { useWrite } from '../api/write.ts';

const Prove = lazy(() => import('./prove.tsx').then(({ Prove: One }) => ({ default: One })));

/**
 * An operation that the server does only for who has signed in a moment ago. `proof` asks for the password where that is
 * needed, and then does what was asked for.
 */
export function useProvenWrite<Op extends Operation>(
  operation: Op,
  options: Parameters<typeof useWrite<Op>>[1],
) {
  const asked = useRef<Input<Op>>(undefined);
  const { write, isBusy, fault, reset } = useWrite(operation, options);
  const needsProof = fault?.code === 'reauthentication_required';
  const again = () => {
    if (asked.current !== undefined) write(asked.current);
  };
  const proof: ReactNode = needsProof && (
    <Suspense>
      <Prove again={again} close={reset} />
    </Suspense>
  );
  return {
    write: (input: Input<Op>) => {
      asked.current = input;
      write(input);
    },
    isBusy,
    fault: needsProof ? null : fault,
    reset,
    proof,
  };
}
