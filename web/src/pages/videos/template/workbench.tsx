import { ActionIcon, Button } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { RotateCcw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { getVideoTemplate } from '../../../api/operations.gen.ts';
import { useRead } from '../../../api/read.ts';
import { type TextKey, useText } from '../../../i18n/text.ts';
import { useSearchParam } from '../../../search-param.ts';
import { Banner } from '../../../ui/banner.tsx';
import css from '../../../ui/editor/editor.module.css';
import { PartTabs } from '../../../ui/editor/part-tabs.tsx';
import { FaultBanner } from '../../../ui/fault-banner.tsx';
import { Page } from '../../../ui/page.tsx';
import { Foot } from './foot.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { PARTS, type Part, SourcePane } from './source-pane.tsx';
import { aspectsOf, type OwnTemplate } from './template-fields.ts';
import { useOwnTemplate } from './use-own-template.ts';
import { usePlayed } from './use-played.ts';
import { Versions } from './versions.tsx';

const Changes = lazy(() => import('./changes.tsx').then(({ Changes: One }) => ({ default: One })));
const SaveConflict = lazy(() =>
  import('./save-conflict.tsx').then(({ SaveConflict: One }) => ({ default: One })),
);
const DeleteTemplate = lazy(() =>
  import('./delete-template.tsx').then(({ DeleteTemplate: One }) => ({ default: One })),
);

const PANES = ['write', 'preview', 'versions'] as const;
const PANE_LABELS: Readonly<Record<(typeof PANES)[number], TextKey>> = {
  write: 'editor.write',
  preview: 'preview.title',
  versions: 'versions.title',
};

/** The versions of a person's own video template, its source, and the video it makes; on phones one at a time. */
export function Workbench({ template }: { readonly template: OwnTemplate }) {
  const t = useText();
  const isNarrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const [chosenPane, setPane] = useSearchParam('pane');
  const [chosenPart, setPart] = useSearchParam('part');
  const [chosenAspect, setAspect] = useSearchParam('aspect');
  const [wanted] = useSearchParam('version');
  const [isDeleting, setDeleting] = useState(false);
  const { name } = template;
  const newest = template.version ?? 1;
  const own = useOwnTemplate(template);
  const { edited, manifest } = own;
  const older = useRead(
    getVideoTemplate,
    { template: name, version: Number(wanted) },
    { enabled: Number(wanted) > 0 },
  );
  const shown = wanted === '' ? undefined : older.data;
  const aspects = shown ? (shown.manifest.aspects ?? []) : aspectsOf(edited.content);
  const aspect = aspects.find((one) => one === chosenAspect) ?? aspects[0] ?? '9:16';
  const played = usePlayed({ template, content: edited.content, manifest, shown, aspect });
  const findings = [...own.findings, ...played.findings];
  const save = () => {
    if (edited.isChanged && !own.saving.isBusy) own.save();
  };
  const latest = useRef(save);
  latest.current = save;
  useHotkeys([['mod+S', () => latest.current()]], [], true);
  const pane = PANES.find((one) => one === chosenPane) ?? 'write';
  const part = PARTS.find((one) => one === chosenPart) ?? 'html';
  const open = (one: Part) => setPart(one === 'html' ? '' : one);
  const isShown = (one: (typeof PANES)[number]) => !isNarrow || pane === one;
  return (
    <Page
      flush
      section="videos"
      name={name}
      crumbs={[{ to: '/videos/templates', label: t('videos.templatesTitle') }]}
      actions={<Actions own={own} save={save} remove={() => setDeleting(true)} />}
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
      <Notices own={own} newest={newest} fault={wanted === '' ? null : older.error} />
      <div className={css.panes}>
        {isShown('versions') && (
          <aside className={css.versions} aria-label={t('versions.title')}>
            <div className={css.bar}>
              <h2 className="h3">{t('versions.title')}</h2>
            </div>
            <Versions
              template={name}
              newest={newest}
              shown={shown ? (shown.version ?? undefined) : newest}
              hasDraft={edited.isChanged}
            />
          </aside>
        )}
        {isShown('write') &&
          (shown ? (
            <Suspense>
              <Changes shown={shown} newest={newest} content={edited.content} hasDraft={edited.isChanged} />
            </Suspense>
          ) : (
            <SourcePane
              name={name}
              edited={edited}
              manifest={manifest}
              findings={findings}
              part={part}
              setPart={open}
            />
          ))}
        {isShown('preview') && (
          <PreviewPane
            name={name}
            url={played.url}
            aspects={aspects}
            aspect={aspect}
            setAspect={setAspect}
            fault={played.fault}
            onFailure={played.onFailure}
          />
        )}
      </div>
      <Foot findings={findings} open={open} savedAt={edited.savedAt} />
      <Dialogs
        own={own}
        template={template}
        newest={newest}
        isDeleting={isDeleting}
        close={() => setDeleting(false)}
      />
    </Page>
  );
}

type Own = ReturnType<typeof useOwnTemplate>;

type ActionsProps = { readonly own: Own; readonly save: () => void; readonly remove: () => void };

function Actions({ own: { edited, manifest, saving }, save, remove }: ActionsProps) {
  const t = useText();
  return (
    <>
      <ActionIcon
        size={36}
        title={t('videoEditor.delete')}
        aria-label={t('videoEditor.delete')}
        onClick={remove}
      >
        <Trash2 className="icon" />
      </ActionIcon>
      {edited.isChanged && (
        <ActionIcon
          size={36}
          title={t('editor.discard')}
          aria-label={t('editor.discard')}
          onClick={edited.discard}
        >
          <RotateCcw className="icon" />
        </ActionIcon>
      )}
      <Button
        variant="filled"
        loading={saving.isBusy}
        disabled={!edited.isChanged || manifest === undefined}
        onClick={save}
      >
        {t('editor.save')}
      </Button>
    </>
  );
}

type NoticesProps = {
  readonly own: Own;
  readonly newest: number;
  /** Why an earlier version can't be shown. */
  readonly fault: Error | null;
};

/** What is said at no place of the text. */
function Notices({ own: { edited, findings, saving }, newest, fault }: NoticesProps) {
  const t = useText();
  const isElsewhere = saving.fault?.code !== MOVED && findings.length === 0;
  return (
    <>
      {isElsewhere && <FaultBanner fault={saving.fault} />}
      <FaultBanner fault={fault} />
      {edited.olderBase !== undefined && (
        <Banner tone="warn" title={t('videoEditor.newer', { version: newest, base: edited.olderBase })} />
      )}
    </>
  );
}

/** Someone else saved a version in the meantime. */
const MOVED = 'head_moved';

type DialogsProps = {
  readonly own: Own;
  readonly template: OwnTemplate;
  readonly newest: number;
  readonly isDeleting: boolean;
  readonly close: () => void;
};

function Dialogs({ own, template, newest, isDeleting, close }: DialogsProps) {
  const { edited, saving } = own;
  return (
    <Suspense>
      {saving.fault?.code === MOVED && (
        <SaveConflict
          template={template.name}
          newest={newest}
          fault={saving.fault}
          isRead={edited.olderBase !== undefined}
          isBusy={saving.isBusy}
          saveOver={() => own.save(String(newest))}
          close={saving.reset}
        />
      )}
      {isDeleting && (
        <DeleteTemplate
          template={template}
          hasDraft={edited.isChanged}
          onDeleted={edited.discard}
          close={close}
        />
      )}
    </Suspense>
  );
}
