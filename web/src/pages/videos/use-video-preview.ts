import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import type { Input, Output } from '../../api/operation.ts';
import { previewVideoTemplate } from '../../api/operations.gen.ts';
import { language } from '../../i18n/language.ts';
import { useSettled } from '../../settled.ts';

export type VideoPreview = Output<typeof previewVideoTemplate>;

const TYPING_MS = 250;
/** Links work for an hour; one that is asked for again is made again well before. */
const TTL_MS = 30 * 60 * 1000;

/** A page that plays the template with this data, as its video would show it. Data that does not fit leaves the last one. */
export function useVideoPreview(
  input: Input<typeof previewVideoTemplate>,
): UseQueryResult<VideoPreview, ApiFault> {
  const asked = useSettled(input, TYPING_MS);
  return useQuery<VideoPreview, ApiFault>({
    queryKey: ['video-preview', asked, language()],
    queryFn: ({ signal }) => call(previewVideoTemplate, asked, signal),
    placeholderData: keepPreviousData,
    staleTime: TTL_MS,
    retry: false,
  });
}
