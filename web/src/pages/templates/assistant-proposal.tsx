import '../../ui/styles/segmented.ts';
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import css from './assistant.module.css';
import type { Proposal } from './use-assistant.ts';
import type { EditedDocument } from './use-document.ts';
import { SOURCE_FIELDS, type SourceField } from './use-document.ts';

const CodeMerge = lazy(() =>
  import('../../ui/code/code-merge.tsx').then(({ CodeMerge: One }) => ({ default: One })),
);

type AssistantProposalProps = {
  readonly proposal: Proposal;
  /** What the editor has now. */
  readonly content: EditedDocument['content'];
};

/** What the assistant would change, field by field, beside what is in the editor. */
export function AssistantProposal({ proposal, content }: AssistantProposalProps) {
  const t = useText();
  const isNarrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const [chosen, setField] = useState<SourceField>();
  const { fields, others, warnings } = proposal;
  const changed = SOURCE_FIELDS.filter((one) => fields[one] !== undefined);
  const field = changed.find((one) => one === chosen) ?? changed[0];
  const labels = useMemo(() => ({ before: t('assistant.before'), after: t('assistant.after') }), [t]);
  return (
    <div className="col gap3">
      {warnings.map((warning) => (
        <Banner key={warning} tone="warn" title={warning} />
      ))}
      {others.length > 0 && (
        <Banner tone="warn" title={t('assistant.others', { fields: others.join(', ') })}>
          {t('assistant.othersAbout')}
        </Banner>
      )}
      {field === undefined ? (
        <p className="mid">{t('assistant.none')}</p>
      ) : (
        <>
          <SegmentedControl
            aria-label={t('assistant.fields')}
            value={field}
            onChange={(value) => setField(changed.find((one) => one === value))}
            data={changed.map((value) => ({ value, label: t(`field.${value}`) }))}
          />
          <div className={css.proposal}>
            <Suspense fallback={null}>
              <CodeMerge
                key={field}
                before={content[field]}
                after={fields[field] ?? ''}
                language={field === 'html' || field === 'css' ? field : 'text'}
                labels={labels}
                isNarrow={isNarrow ?? false}
              />
            </Suspense>
          </div>
        </>
      )}
    </div>
  );
}
