import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import type { Input, Output } from '../../api/operation.ts';
import { mergeBranch } from '../../api/operations.gen.ts';
import { language } from '../../i18n/language.ts';
import { useSettled } from '../../settled.ts';
import { type Choices, resolutionsOf } from './merge-choices.ts';

const DELAY_MS = 200;

type Merge = Output<typeof mergeBranch>;

/** Of an unwritten merge: where both sides differ, and the template that comes out with the choices made so far. */
export function useMerge(template: string, branch: string, choices: Choices) {
  const plan = useDryRun({ template, branch });
  const wanted = resolutionsOf(plan.data?.conflicts ?? [], choices);
  const chosen = useSettled(wanted, DELAY_MS);
  const token = plan.data?.merge_token;
  const result = useDryRun(
    { template, branch, resolutions: chosen, ...(token && { merge_token: token }) },
    chosen.length > 0,
  );
  const isSettled = JSON.stringify(wanted) === JSON.stringify(chosen);
  return {
    plan,
    document: (chosen.length > 0 ? result.data?.document : undefined) ?? plan.data?.document,
    /** Why the choices do not make a template. */
    unfit: chosen.length > 0 ? result.error : null,
    /** Whether these are what the choices make: false while the server has yet to read the last one. */
    isChecked: isSettled && (chosen.length === 0 || (result.isSuccess && !result.isPlaceholderData)),
  };
}

function useDryRun(input: Input<typeof mergeBranch>, enabled = true) {
  return useQuery<Merge, ApiFault>({
    queryKey: [mergeBranch, input, language()],
    queryFn: ({ signal }) =>
      call(
        mergeBranch,
        { ...input, dry_run: true, include: 'document' } as Input<typeof mergeBranch>,
        signal,
      ),
    placeholderData: keepPreviousData,
    enabled,
  });
}
