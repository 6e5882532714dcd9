import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { language } from '../i18n/language.ts';
import { call } from './call.ts';
import type { ApiFault } from './fault.ts';
import type { Input, Operation, Output } from './operation.ts';

type PageOf<Op extends Operation> = Output<Op> & { readonly next_cursor: string | null };

/** A list that is read page by page, as far as the person has gone. */
export function useReadPages<Op extends Operation>(operation: Op, input: Input<Op>) {
  return useInfiniteQuery<PageOf<Op>, ApiFault, PageOf<Op>[], readonly unknown[], string | undefined>({
    queryKey: [operation, input, language(), 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const asked = pageParam === undefined ? input : { ...(input as object), cursor: pageParam };
      return (await call(operation, asked as Input<Op>, signal)) as PageOf<Op>;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    select: ({ pages }) => pages,
    placeholderData: keepPreviousData,
  });
}
