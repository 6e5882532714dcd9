import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import type { ApiFault } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';
import { keyOf } from './read.ts';

type Paged = { readonly items: readonly unknown[]; readonly next_cursor: string | null };

/** A list that is read page after page, as far as a person looks. */
export function useReadOn<Op extends Operation>(operation: Op, input: Input<Op>) {
  const {
    data,
    error,
    fetchNextPage,
    hasNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
    isPending,
    refetch,
  } = useInfiniteQuery<Output<Op>, ApiFault, { pages: Output<Op>[] }, readonly unknown[], string | undefined>(
    {
      queryKey: keyOf(operation, input),
      queryFn: ({ signal, pageParam }) =>
        call(
          operation,
          { ...(input as object), ...(pageParam && { cursor: pageParam }) } as Input<Op>,
          signal,
        ),
      initialPageParam: undefined,
      // Rows of something that goes on: the page is read again when it is opened.
      staleTime: 0,
      getNextPageParam: (last) => (last as Paged).next_cursor ?? undefined,
    },
  );
  return {
    pages: data?.pages,
    error,
    isPending,
    /** Reads again what failed: the next page, or the list. */
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    /** Reads the next page. Undefined at the end, while a page is on its way, and after one failed: a person then presses. */
    more: hasNextPage && !isFetchingNextPage && error === null ? () => void fetchNextPage() : undefined,
  };
}
