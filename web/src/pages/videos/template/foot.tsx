import { shortDate } from '../../../i18n/dates.ts';
import { useText } from '../../../i18n/text.ts';
import css from '../../../ui/editor/editor.module.css';
import { State } from '../../../ui/state.tsx';
import { PART_LABELS, type Part, partOf } from './source-pane.tsx';
import type { Finding } from './template-fields.ts';

type FootProps = {
  readonly findings: readonly Finding[];
  readonly open: (part: Part) => void;
  readonly savedAt: string | undefined;
};

/** Everything that is wrong or doubtful, each with the way to its place. */
export function Foot({ findings, open, savedAt }: FootProps) {
  const t = useText();
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <footer className={css.foot}>
      {findings.length === 0 ? (
        <State kind="ok">{t('videoEditor.nothingWrong')}</State>
      ) : (
        <details className={css.findings}>
          <summary>
            <State kind={errors > 0 ? 'err' : 'warn'}>
              {errors > 0
                ? t('videoEditor.errors', { count: errors })
                : t('videoEditor.warnings', { count: findings.length })}
            </State>
          </summary>
          <ul className={css.list}>
            {findings.map((finding) => (
              <li key={JSON.stringify(finding)}>
                <button type="button" className={css.place} onClick={() => open(partOf(finding.field))}>
                  <State kind={finding.severity === 'error' ? 'err' : 'warn'}>
                    {finding.line === undefined
                      ? t(PART_LABELS[partOf(finding.field)])
                      : t('videoEditor.line', {
                          part: t(PART_LABELS[partOf(finding.field)]),
                          line: finding.line,
                        })}
                  </State>
                </button>
                <span className="small mid">{finding.message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {savedAt && (
        <span className={`push dim ${css.optional}`}>{t('foot.draft', { time: shortDate(savedAt) })}</span>
      )}
    </footer>
  );
}
