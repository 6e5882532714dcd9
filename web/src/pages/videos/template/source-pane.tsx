import { Fragment, lazy, Suspense, useMemo } from 'react';
import { type TextKey, useText } from '../../../i18n/text.ts';
import type { CodeLanguage } from '../../../ui/code/template-language.ts';
import { CodeArea } from '../../../ui/editor/code-area.tsx';
import css from '../../../ui/editor/editor.module.css';
import { PartTabs } from '../../../ui/editor/part-tabs.tsx';
import { State } from '../../../ui/state.tsx';
import { fieldsOf } from '../data-schema.ts';
import own from './template.module.css';
import type { EditedTemplate, Finding, Manifest, TemplateField } from './template-fields.ts';

const Details = lazy(() => import('./details.tsx').then(({ Details: One }) => ({ default: One })));

export const PARTS = ['html', 'schema', 'sample', 'details'] as const;
export type Part = (typeof PARTS)[number];

export const PART_LABELS: Readonly<Record<Part, TextKey>> = {
  html: 'editor.part.html',
  schema: 'videoEditor.schema',
  sample: 'videoEditor.sample',
  details: 'videoEditor.details',
};

const LANGUAGES: Readonly<Record<Exclude<Part, 'details'>, CodeLanguage>> = {
  html: 'html',
  schema: 'json',
  sample: 'json',
};

const ABOUT: Readonly<Record<Exclude<Part, 'details'>, TextKey>> = {
  html: 'videoEditor.htmlAbout',
  schema: 'videoEditor.schemaAbout',
  sample: 'videoEditor.sampleAbout',
};

export const partOf = (field: TemplateField): Part => PARTS.find((part) => part === field) ?? 'details';

type SourcePaneProps = {
  readonly name: string;
  readonly edited: EditedTemplate;
  readonly manifest: Manifest | undefined;
  readonly findings: readonly Finding[];
  readonly part: Part;
  readonly setPart: (part: Part) => void;
};

/** What a version holds, a part at a time, each with what is wrong at its line. */
export function SourcePane({ name, edited, manifest, findings, part, setPart }: SourcePaneProps) {
  const t = useText();
  return (
    <section className={css.write} aria-label={t('editor.source')}>
      <div className={css.bar}>
        <PartTabs
          isBare
          label={t('editor.parts')}
          parts={PARTS.map((one) => [
            one,
            <Fragment key={one}>
              {t(PART_LABELS[one])}
              <Flag findings={findings.filter(({ field }) => partOf(field) === one)} />
            </Fragment>,
          ])}
          part={part}
          setPart={setPart}
        />
      </div>
      {part === 'details' ? (
        <Suspense fallback={null}>
          <Details edited={edited} findings={findings} />
        </Suspense>
      ) : (
        <Code key={part} {...{ name, part, edited, manifest, findings }} />
      )}
    </section>
  );
}

/** A part that is not open shows that something is wrong in it. */
function Flag({ findings }: { readonly findings: readonly Finding[] }) {
  const t = useText();
  if (findings.length === 0) return null;
  const isBroken = findings.some(({ severity }) => severity === 'error');
  return (
    <State kind={isBroken ? 'err' : 'warn'}>
      <span className="sr">{t(isBroken ? 'videoEditor.hasErrors' : 'videoEditor.hasWarnings')}</span>
    </State>
  );
}

type CodeProps = Pick<SourcePaneProps, 'name' | 'edited' | 'manifest' | 'findings'> & {
  readonly part: Exclude<Part, 'details'>;
};

function Code({ name, part, edited, manifest, findings }: CodeProps) {
  const t = useText();
  const marked = findings.filter(({ field, line }) => field === part && line !== undefined);
  const key = JSON.stringify(marked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new with each draw, its text is not
  const marks = useMemo(
    () => marked.map(({ line = 1, col = 1, ...mark }) => ({ line, col, ...mark })),
    [key],
  );
  const names = ['title', 'duration', ...fieldsOf(manifest?.schema).map((field) => field.name)];
  return (
    <>
      <p className={`small dim ${css.about}`}>{t(ABOUT[part])}</p>
      <CodeArea
        className={own.tall}
        value={edited.content[part]}
        language={LANGUAGES[part]}
        label={t('editor.sourceOf', { part: t(PART_LABELS[part]), template: name })}
        variables={part === 'html' ? names : NO_NAMES}
        marks={marks}
        onChange={(value) => edited.set(part, value)}
      />
    </>
  );
}

const NO_NAMES: readonly string[] = [];
