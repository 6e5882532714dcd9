import { Link } from 'wouter';
import { useText } from '../../i18n/text.ts';

type MergeSummaryProps = {
  readonly template: string;
  readonly branch: string;
  readonly into: string;
  /** How many places both branches changed. */
  readonly conflicts: number;
  /** The branch has nothing that the other one lacks. */
  readonly isNothing: boolean;
};

/** What a merge would do, in a sentence, and the way to the changes themselves. */
export function MergeSummary({ template, branch, into, conflicts, isNothing }: MergeSummaryProps) {
  const t = useText();
  const sides = { branch, into };
  const fits = conflicts === 0 ? t('merge.fits', sides) : t('merge.inPlaces', { count: conflicts, ...sides });
  return (
    <p className="mid" role="status">
      {isNothing ? t('merge.nothingNew', sides) : fits}{' '}
      <Link
        href={`/templates/${encodeURIComponent(template)}/diff?from=${into}&to=${encodeURIComponent(branch)}`}
      >
        {t('merge.compare')}
      </Link>
    </p>
  );
}
