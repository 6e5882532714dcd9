import '../../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../../api/call.ts';
import { rollbackVideoTemplate } from '../../../api/operations.gen.ts';
import { useWrite } from '../../../api/write.ts';
import { text, useText } from '../../../i18n/text.ts';
import { useSearchParam } from '../../../search-param.ts';
import panes from '../../../ui/editor/editor.module.css';
import { FaultBanner } from '../../../ui/fault-banner.tsx';
import { toast } from '../../../ui/toast.ts';
import { pathOf } from './path.ts';
import { PART_LABELS, PARTS, type Part } from './source-pane.tsx';
import css from './template.module.css';
import { contentOf, type OwnTemplate, type TemplateContent } from './template-fields.ts';
import { CHANGED_BY_SAVE } from './use-own-template.ts';

const CodeMerge = lazy(() =>
  import('../../../ui/code/code-merge.tsx').then(({ CodeMerge: One }) => ({ default: One })),
);

type ChangesProps = {
  readonly shown: OwnTemplate;
  readonly newest: number;
  /** What is in the editor. */
  readonly content: TemplateContent;
  readonly hasDraft: boolean;
};

/** What changed since a version, part by part, and the way back to it. */
export function Changes({ shown, newest, content, hasDraft }: ChangesProps) {
  const t = useText();
  const isNarrow = useMediaQuery('(max-width: 1600px)', false, { getInitialValueInEffect: false });
  const [chosen, setPart] = useSearchParam('part');
  const { name, version } = shown;
  const before = contentOf(shown);
  const parts = PARTS.filter((part) => textOf(part, before) !== textOf(part, content));
  const part = parts.find((one) => one === chosen) ?? parts[0];
  const now = t(hasDraft ? 'videoEditor.typed' : 'videoEditor.now');
  const labels = useMemo(() => ({ before: `v${version}`, after: now }), [version, now]);
  return (
    <section className={panes.write} aria-label={t('videoEditor.since', { version: version ?? 1 })}>
      <div className={panes.bar}>
        <h2 className="h3">{t('videoEditor.since', { version: version ?? 1 })}</h2>
        <Link href={pathOf(name)} className="cap push">
          {t('videoEditor.back')}
        </Link>
      </div>
      <div className={css.tools}>
        {part !== undefined && (
          <SegmentedControl
            aria-label={t('editor.parts')}
            value={part}
            onChange={setPart}
            data={parts.map((value) => ({ value, label: t(PART_LABELS[value]) }))}
          />
        )}
        {version !== newest && <RollBack template={shown} newest={newest} hasDraft={hasDraft} />}
      </div>
      {part === undefined ? (
        <p className={`mid ${css.note}`}>{t('videoEditor.same')}</p>
      ) : (
        <div className={`${panes.code} ${css.tall}`}>
          <Suspense fallback={null}>
            <CodeMerge
              before={textOf(part, before)}
              after={textOf(part, content)}
              language={part === 'html' ? 'html' : part === 'details' ? 'text' : 'json'}
              labels={labels}
              isNarrow={isNarrow ?? false}
            />
          </Suspense>
        </div>
      )}
    </section>
  );
}

/** A part as one text. */
function textOf(part: Part, content: TemplateContent): string {
  if (part !== 'details') return content[part];
  const { title, description, aspects, duration, scripts, defaults } = content;
  const lines = { title, description, aspects, duration, scripts: scripts || 'false', defaults };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${value.trim()}\n`)
    .join('');
}

type RollBackProps = {
  readonly template: OwnTemplate;
  readonly newest: number;
  readonly hasDraft: boolean;
};

/** Without a question, since it makes one more version and can be undone. */
function RollBack({ template: { name, version }, newest, hasDraft }: RollBackProps) {
  const t = useText();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const undo = async () => {
    const { version: made } = await call(rollbackVideoTemplate, { template: name, to: newest });
    await Promise.all(CHANGED_BY_SAVE.map((read) => queries.invalidateQueries({ queryKey: [read] })));
    toast(text('videoEditor.rolledBack', { version: newest, made: made ?? 1 }));
  };
  const { write, isBusy, fault } = useWrite(rollbackVideoTemplate, {
    changes: CHANGED_BY_SAVE,
    onDone: ({ version: made }) => {
      go(pathOf(name));
      toast(t('videoEditor.rolledBack', { version: version ?? 1, made: made ?? 1 }), {
        label: t('action.undo'),
        run: () => void undo().catch((error: Error) => toast(error.message)),
      });
    },
  });
  return (
    <>
      <Button
        size="xs"
        className="push"
        leftSection={<RotateCcw className="icon s" />}
        loading={isBusy}
        disabled={hasDraft}
        onClick={() => write({ template: name, ...(version !== null && { to: version }) })}
      >
        {t('videoEditor.rollBack', { version: version ?? 1 })}
      </Button>
      {hasDraft && <p className="small dim">{t('videoEditor.saveFirst')}</p>}
      <FaultBanner fault={fault} />
    </>
  );
}
