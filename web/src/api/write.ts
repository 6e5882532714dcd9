import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../ui/toast.ts';
import { call } from './call.ts';
import type { ApiFault } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';

type Options<Op extends Operation> = {
  /** The reads that show something else from now on. */
  readonly changes: readonly Operation[];
  /** What a message says once it is done. */
  readonly said?: string | ((output: Output<Op>) => string);
  readonly onDone?: (output: Output<Op>) => void;
};

/** An operation that changes something. Its fault is shown where it was asked for. */
export function useWrite<Op extends Operation>(operation: Op, { changes, said, onDone }: Options<Op>) {
  const queries = useQueryClient();
  const readAgain = () => Promise.all(changes.map((read) => queries.invalidateQueries({ queryKey: [read] })));
  const { mutate, isPending, error, reset } = useMutation<Output<Op>, ApiFault, Input<Op>>({
    mutationFn: (input) => call(operation, input),
    onSuccess: async (output) => {
      await readAgain();
      if (said !== undefined) toast(typeof said === 'string' ? said : said(output));
      onDone?.(output);
    },
    onError: (fault) => {
      // Someone else was faster: what is on the page is old.
      if (fault.status === 409 || fault.status === 412) void readAgain();
      if (said !== undefined && onDone === undefined) toast(fault.message);
    },
  });
  return { write: (input: Input<Op>) => mutate(input), isBusy: isPending, fault: error, reset };
}
