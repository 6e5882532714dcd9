import type { Output } from '../../api/operation.ts';
import type { mergeBranch } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import css from './merge.module.css';
import { type Data, useRendering } from './use-preview.ts';
import { useSample } from './use-sample.ts';

type Document = NonNullable<Output<typeof mergeBranch>['document']>;

type MergeResultProps = { readonly template: string; readonly document: Document };

/** The email that the merge makes, filled with the sample. */
export function MergeResult({ template, document }: MergeResultProps) {
  const t = useText();
  const sample = useSample(template);
  const { data, error } = useRendering({ ...document, data: (sample?.data ?? {}) as Data });
  return (
    <>
      <FaultBanner fault={error} />
      <p className={css.subject}>
        <span className="data strong clip">{data?.subject ?? t('preview.noSubject')}</span>
        <span className="small dim clip">{data?.preheader ?? ''}</span>
      </p>
      <div className={css.stage}>
        <div className={css.paper}>
          <PreviewFrame
            title={t('merge.resultOf', { template })}
            html={data?.html ?? ''}
            isDark={false}
            loadsImages={false}
          />
        </div>
      </div>
    </>
  );
}
