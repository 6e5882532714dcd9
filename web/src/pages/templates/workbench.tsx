import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { GitCompare, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../../api/operation.ts';
import type { getTemplate } from '../../api/operations.gen.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import css from '../../ui/editor/editor.module.css';
import { PartTabs } from '../../ui/editor/part-tabs.tsx';
import { Page } from '../../ui/page.tsx';
import { EnvironmentTags } from '../../ui/tag.tsx';
import { BranchMenu } from './branch-menu.tsx';
import { EditorFoot } from './editor-foot.tsx';
import { PreviewPane } from './preview-pane.tsx';
import type { Values } from './sample-values.ts';
import { SourcePane } from './source-pane.tsx';
import { useDocument } from './use-document.ts';
import { type Data, usePreview } from './use-preview.ts';
import { useSample } from './use-sample.ts';

// Phones show it only when it is asked for.
const VersionRail = lazy(() =>
  import('./version-rail.tsx').then(({ VersionRail: One }) => ({ default: One })),
);
const SaveDialog = lazy(() => import('./save-dialog.tsx').then(({ SaveDialog: One }) => ({ default: One })));

type Template = Output<typeof getTemplate>;

const PANES = ['write', 'preview', 'versions'] as const;
const PANE_LABELS: Readonly<Record<(typeof PANES)[number], TextKey>> = {
  write: 'editor.write',
  preview: 'preview.title',
  versions: 'versions.title',
};

const NO_VALUES: Values = {};

/**
 * Versions, source and preview beside each other; on phones one at a time. It is drawn with every key: what does not change with the
 * text, such as the rail and the preview, is not drawn again.
 */
export function Workbench({ template, branch }: { readonly template: Template; readonly branch: string }) {
  const t = useText();
  const isNarrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const [chosenPane, setPane] = useSearchParam('pane');
  const [isSaving, setSaving] = useState(false);
  const [typedValues, setValues] = useState<Values>();
  const document = useDocument(template, branch);
  const sample = useSample(template.name);
  const values = typedValues ?? sample?.data ?? NO_VALUES;
  const { rendered, linted } = usePreview(template, document.content, values as Data);
  useHotkeys([['mod+S', () => document.isChanged && setSaving(true)]], [], true);
  const pane = PANES.find((one) => one === chosenPane) ?? 'write';
  const isShown = (one: (typeof PANES)[number]) => !isNarrow || pane === one;
  const path = `/templates/${encodeURIComponent(template.name)}`;
  const live = Object.entries(template.environments).flatMap(([name, at]) =>
    at === template.version ? [name] : [],
  );
  return (
    <Page
      flush
      section="templates"
      name={template.name}
      crumbs={[{ to: '/templates', label: t('nav.templates') }]}
      title={
        <>
          {template.name} <EnvironmentTags names={live} />
        </>
      }
      actions={
        <>
          <BranchMenu template={template.name} branch={branch} />
          {branch !== 'main' && (
            <Button component={Link} href={`${path}/merge?branch=${encodeURIComponent(branch)}`}>
              {t('merge.title')}
            </Button>
          )}
          <Button component={Link} href={`${path}/environments`}>
            {t('environments.title')}
          </Button>
          <Button
            variant="filled"
            // Not `disabled`: after a save, the focus is on it again.
            data-disabled={!document.isChanged}
            aria-disabled={!document.isChanged}
            onClick={() => document.isChanged && setSaving(true)}
          >
            {t('editor.save')}
          </Button>
          {document.isChanged && (
            <ActionIcon
              title={t('editor.discard')}
              size={36}
              aria-label={t('editor.discard')}
              onClick={document.discard}
            >
              <RotateCcw className="icon" />
            </ActionIcon>
          )}
        </>
      }
      {...(isNarrow && {
        tabs: (
          <PartTabs
            label={t('editor.panes')}
            part={pane}
            setPart={setPane}
            parts={PANES.map((one) => [one, t(PANE_LABELS[one])])}
          />
        ),
      })}
    >
      <div className={css.panes}>
        {isShown('versions') && (
          <aside className={css.versions} aria-label={t('versions.title')}>
            <div className={css.bar}>
              <h2 className="h3">{t('versions.title')}</h2>
              <Link href={`${path}/diff?to=${encodeURIComponent(branch)}`} className="cap push row">
                <GitCompare className="icon s" aria-hidden="true" />
                {t('versions.compare')}
              </Link>
            </div>
            <Suspense>
              <VersionRail template={template.name} branch={branch} hasDraft={document.isChanged} />
            </Suspense>
          </aside>
        )}
        {isShown('write') && (
          <SourcePane
            template={template}
            document={document}
            fault={rendered.error}
            missing={rendered.data?.missing_variables ?? []}
            values={values}
            sample={sample?.name}
            setValues={setValues}
          />
        )}
        {isShown('preview') && (
          <PreviewPane template={template} rendered={rendered.data} data={values as Data} />
        )}
      </div>
      <EditorFoot
        rendered={rendered.data}
        fault={rendered.error}
        lint={linted.data}
        savedAt={document.savedAt}
      />
      {isSaving && (
        <Suspense>
          <SaveDialog
            template={template}
            branch={branch}
            document={document}
            close={() => setSaving(false)}
          />
        </Suspense>
      )}
    </Page>
  );
}
