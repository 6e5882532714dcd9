import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { language } from '../i18n/language.ts';
import { call } from './call.ts';
import type { ApiFault } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';

type Options<Op extends Operation> = {
  readonly enabled?: boolean;
  /** Shows the last answer while the next one is on its way. */
  readonly keepsLast?: boolean;
  /** Whether it changes without a call from here: then it is read again every two seconds. */
  readonly changesItself?: (latest: Output<Op>) => boolean;
};

const AGAIN_MS = 2_000;

/** Messages in an answer are in one language, so the key has it. */
export const keyOf = <Op extends Operation>(operation: Op, input: Input<Op>): QueryKey => [
  operation,
  input,
  language(),
];

/** The answer of an operation that only reads; read again when the page is shown again. */
export function useRead<Op extends Operation>(
  operation: Op,
  input: Input<Op>,
  { enabled = true, keepsLast = false, changesItself = () => false }: Options<Op> = {},
): UseQueryResult<Output<Op>, ApiFault> {
  return useQuery<Output<Op>, ApiFault>({
    queryKey: keyOf(operation, input),
    queryFn: ({ signal }) => call(operation, input, signal),
    enabled,
    refetchInterval: ({ state: { data } }) => (data && changesItself(data) ? AGAIN_MS : false),
    ...(keepsLast && { placeholderData: keepPreviousData }),
  });
}
