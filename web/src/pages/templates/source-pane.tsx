import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { ApiFault } from '../../api/fault.ts';
import type { Input, Output } from '../../api/operation.ts';
import { type getTemplate, listFixtures, saveFixture } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import type { Mark } from '../../ui/code/code-marks.ts';
import { CodeArea } from '../../ui/editor/code-area.tsx';
import panes from '../../ui/editor/editor.module.css';
import { PartTabs } from '../../ui/editor/part-tabs.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './editor.module.css';
import type { Values } from './sample-values.ts';
import { sourceMarks } from './source-marks.ts';
import type { EditedDocument } from './use-document.ts';

const VariablesTable = lazy(() =>
  import('./variables-table.tsx').then(({ VariablesTable: One }) => ({ default: One })),
);
const AssistantDialog = lazy(() =>
  import('./assistant-dialog.tsx').then(({ AssistantDialog: One }) => ({ default: One })),
);

const PARTS = ['html', 'css', 'text'] as const;
const SUBJECT_LENGTH = 60;

type SourcePaneProps = {
  readonly template: Output<typeof getTemplate>;
  readonly document: EditedDocument;
  /** Why the source cannot be rendered. */
  readonly fault: ApiFault | null;
  readonly missing: readonly string[];
  readonly values: Values;
  /** The sample that the values come from. */
  readonly sample: string | undefined;
  readonly setValues: (values: Values) => void;
};

/** What a version holds, and the values it is shown with. */
export function SourcePane({
  template,
  document,
  fault,
  missing,
  values,
  sample,
  setValues,
}: SourcePaneProps) {
  const t = useText();
  const [part, setPart] = useState<(typeof PARTS)[number]>('html');
  const [isAsking, setAsking] = useState(false);
  const { content, set } = document;
  const marks: readonly Mark[] = useMemo(
    () => (part === 'html' ? sourceMarks(content.html, fault, missing, t) : []),
    [part, content.html, fault, missing, t],
  );
  const names = template.variables.map(({ name }) => name);
  return (
    <section className={panes.write} aria-label={t('editor.source')}>
      <div className={panes.bar}>
        <PartTabs
          isBare
          label={t('editor.parts')}
          parts={PARTS.map((one) => [one, t(`editor.part.${one}`)])}
          part={part}
          setPart={setPart}
        />
        <Button
          size="xs"
          variant="subtle"
          className="push"
          leftSection={<Sparkles className="icon s" />}
          onClick={() => setAsking(true)}
        >
          {t('assistant.open')}
        </Button>
      </div>
      {isAsking && (
        <Suspense>
          <AssistantDialog template={template} document={document} close={() => setAsking(false)} />
        </Suspense>
      )}
      <Line name="subject" document={document}>
        <span className="cap num">
          {t('editor.length', { count: content.subject.length, limit: SUBJECT_LENGTH })}
        </span>
      </Line>
      <Line name="preheader" document={document} />
      {fault && <FaultBanner fault={fault} />}
      <CodeArea
        key={part}
        value={content[part]}
        language={part}
        label={t('editor.sourceOf', { part: t(`editor.part.${part}`), template: template.name })}
        variables={names}
        marks={marks}
        onChange={(value) => set(part, value)}
      />
      <div className={css.blanks}>
        <div className={panes.bar}>
          <h2 className="h3">{t('variables.title')}</h2>
          {sample && <span className="cap">{t('variables.from', { sample })}</span>}
          <SaveSample template={template.name} values={values} sample={sample ?? 'sample'} />
        </div>
        <Suspense fallback={null}>
          <VariablesTable
            variables={template.variables}
            missing={missing}
            source={content.html}
            values={values}
            onChange={setValues}
          />
        </Suspense>
      </div>
    </section>
  );
}

type LineProps = {
  readonly name: 'subject' | 'preheader';
  readonly document: EditedDocument;
  readonly children?: React.ReactNode;
};

function Line({ name, document: { content, set }, children }: LineProps) {
  const t = useText();
  return (
    <label className={css.line}>
      <span className="cap">{t(`editor.${name}`)}</span>
      <input
        className="grow"
        value={content[name]}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
      {children}
    </label>
  );
}

type SaveSampleProps = { readonly template: string; readonly values: Values; readonly sample: string };

function SaveSample({ template, values, sample }: SaveSampleProps) {
  const t = useText();
  const { write, isBusy } = useWrite(saveFixture, {
    changes: [listFixtures],
    said: t('variables.saved', { sample }),
  });
  const data = values as Input<typeof saveFixture>['data'];
  return (
    <Button
      size="xs"
      variant="subtle"
      className="push"
      loading={isBusy}
      onClick={() => write({ template, fixture: sample, data })}
    >
      {t('variables.save')}
    </Button>
  );
}
