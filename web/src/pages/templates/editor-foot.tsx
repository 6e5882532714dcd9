import type { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import type { lintTemplate } from '../../api/operations.gen.ts';
import { number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import css from '../../ui/editor/editor.module.css';
import { State } from '../../ui/state.tsx';
import type { Rendered } from './use-preview.ts';

type Lint = Output<typeof lintTemplate>;

type EditorFootProps = {
  readonly rendered: Rendered | undefined;
  readonly fault: ApiFault | null;
  readonly lint: Lint | undefined;
  readonly savedAt: string | undefined;
};

const GOOD_SCORE = 90;

/** What is to know of the email as it stands: what is missing, what email clients make of it, how large it is. */
export function EditorFoot({ rendered, fault, lint, savedAt }: EditorFootProps) {
  const t = useText();
  const missing = rendered?.missing_variables.length ?? 0;
  return (
    // What is above it grows while it loads: the foot shows itself once it has something to say.
    <footer className={css.foot} data-waits={!rendered && !fault}>
      {fault ? (
        <State kind="err">{t('foot.broken')}</State>
      ) : (
        <State kind={missing > 0 ? 'warn' : 'ok'}>
          {missing > 0 ? t('foot.missing', { count: missing }) : t('foot.allFilled')}
        </State>
      )}
      {lint && <Findings lint={lint} />}
      {lint && (
        <span className="num">
          {t('foot.size', { size: kilobytes(lint.size.bytes), limit: kilobytes(lint.size.clip_at) })}
        </span>
      )}
      {rendered && (
        <span className={`num ${css.optional}`}>
          {t('foot.time', { ms: number(Math.round(rendered.render_ms * 10) / 10) })}
        </span>
      )}
      {savedAt && (
        <span className={`push dim ${css.optional}`}>{t('foot.draft', { time: shortDate(savedAt) })}</span>
      )}
    </footer>
  );
}

function Findings({ lint: { score, findings } }: { readonly lint: Lint }) {
  const t = useText();
  return (
    <details className={css.findings}>
      <summary>
        <State kind={score >= GOOD_SCORE ? 'ok' : 'warn'}>{t('foot.lint', { score })}</State>
      </summary>
      <ul className={css.list}>
        {findings.length === 0 && <li>{t('foot.noFindings')}</li>}
        {findings.map(({ rule, severity, message, fix, line }) => (
          <li key={`${rule} ${line ?? ''} ${message}`}>
            <State kind={severity === 'error' ? 'err' : severity === 'warning' ? 'warn' : 'void'}>
              {rule}
            </State>
            <span className="small mid">
              {message} {fix}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const kilobytes = (bytes: number) => Math.round(bytes / 102.4) / 10;
