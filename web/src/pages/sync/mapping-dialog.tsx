import '../../ui/styles/select.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiFault } from '../../api/fault.ts';
import {
  createSyncConfig,
  listSheetColumns,
  listSheets,
  listStores,
  listSyncConfigs,
  previewSync,
  updateSyncConfig,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './mapping.module.css';
import { type Direction, hasKey, missingColumns, refusedLines } from './mapping-check.ts';
import { type Draft, draftOf, inputOf, newDraft, type SyncConfig } from './mapping-draft.ts';
import { MappingLines } from './mapping-lines.tsx';
import { MappingSettings } from './mapping-settings.tsx';
import { useNames } from './names.ts';

const DIRECTIONS: readonly Direction[] = ['store_to_sheet', 'sheet_to_store', 'two_way'];

type MappingDialogProps = {
  /** The one that is changed; none is a new one. */
  readonly config: SyncConfig | undefined;
  readonly close: () => void;
};

/** Which column holds which field, in which direction, and when: a new configuration, or one that is changed. */
export function MappingDialog({ config, close }: MappingDialogProps) {
  const t = useText();
  const [, go] = useLocation();
  const { data: stores } = useRead(listStores, { limit: 200 });
  const { data: sheets } = useRead(listSheets, { limit: 200 });
  const { storeName, sheetName } = useNames();
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const [isLeaving, setLeaving] = useState(false);
  const isNarrow = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false });
  const begun = config ? draftOf(config) : newDraft(stores?.items[0]?.id ?? '', sheets?.items[0]?.id ?? '');
  const draft: Draft = { ...begun, ...changes };
  const change = (part: Partial<Draft>) => setChanges({ ...changes, ...part });
  const isChanged = Object.keys(changes).length > 0;
  const { data: columns } = useRead(
    listSheetColumns,
    { sheet_id: draft.sheet_id },
    { enabled: draft.sheet_id !== '' },
  );
  const refused = refusedLines(draft.lines);
  const isKeyed = hasKey(draft.lines, draft.key, draft.key_column);
  const missing = columns
    ? missingColumns(
        draft.lines,
        columns.columns.map(({ header }) => header),
      )
    : [];
  const preview = useWrite(previewSync, {
    changes: [],
    onDone: ({ plan_id }) => go(`/runs/plan/${plan_id}`),
  });
  const [andPreview, setAndPreview] = useState(false);
  const done = ({ id }: { id: string }) => {
    if (andPreview) preview.write({ config_id: id });
    else close();
  };
  const saved = { changes: [listSyncConfigs], onDone: done };
  const create = useWrite(createSyncConfig, saved);
  const update = useWrite(updateSyncConfig, saved);
  const fault = create.fault ?? update.fault ?? preview.fault;
  const isBusy = create.isBusy || update.isBusy || preview.isBusy;
  const save = () =>
    config ? update.write({ config_id: config.id, ...inputOf(draft) }) : create.write(inputOf(draft));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const leave = () => (isChanged && !isLeaving ? setLeaving(true) : close());
  const canSave = refused.size === 0 && isKeyed && draft.lines.length > 0 && draft.store_id !== '';
  const problem = problemOf(refused.size, isKeyed);
  return (
    <Dialog
      onClose={leave}
      size={860}
      fullScreen={isNarrow === true}
      title={
        config
          ? t('sync.pair', { store: storeName(config.store_id), sheet: sheetName(config.sheet_id) })
          : t('mapping.new')
      }
    >
      <form className="col gap4" onSubmit={submit}>
        {isLeaving && (
          <Banner
            tone="warn"
            title={t('mapping.unsaved')}
            action={
              <Button size="xs" onClick={close}>
                {t('mapping.discard')}
              </Button>
            }
          >
            {t('mapping.unsavedNext')}
          </Banner>
        )}
        <FaultBanner fault={fault} />
        <div className={`${css.top} ${css.ends}`}>
          <NativeSelect
            size="xs"
            data-autofocus
            label={t('mapping.store')}
            value={draft.store_id}
            onChange={(event) => change({ store_id: event.currentTarget.value })}
            data={(stores?.items ?? []).map(({ id, domain }) => ({ value: id, label: domain }))}
          />
          <NativeSelect
            size="xs"
            label={t('mapping.direction')}
            value={draft.direction}
            onChange={(event) =>
              change({
                direction: DIRECTIONS.find((one) => one === event.currentTarget.value) ?? draft.direction,
              })
            }
            data={DIRECTIONS.map((value) => ({ value, label: t(`sync.direction.${value}`) }))}
          />
          <NativeSelect
            size="xs"
            label={t('mapping.sheet')}
            value={draft.sheet_id}
            onChange={(event) => change({ sheet_id: event.currentTarget.value })}
            data={(sheets?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
        <MappingLines
          lines={draft.lines}
          refused={refused}
          faults={lineFaults(fault)}
          columns={columns}
          change={(lines) => change({ lines })}
        />
        {missing.length > 0 && !draft.add_columns && draft.direction !== 'sheet_to_store' && (
          <Banner
            title={t('mapping.missing', { columns: missing.join(', '), count: missing.length })}
            action={
              <Button size="xs" onClick={() => change({ add_columns: true })}>
                {t('mapping.addThem')}
              </Button>
            }
          />
        )}
        <MappingSettings draft={draft} change={change} />
        <div className={`row wrap ${css.foot}`}>
          {problem && (
            <span className="small mid row" role="status">
              <TriangleAlert className="icon s" color="var(--warn)" aria-hidden="true" />
              {t(problem.key, { count: problem.count })}
            </span>
          )}
          <span className={`row push ${css.acts}`}>
            <Button variant="subtle" onClick={leave}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" disabled={!canSave} loading={isBusy} onClick={() => setAndPreview(true)}>
              {t('mapping.preview')}
            </Button>
            <Button
              type="submit"
              variant="filled"
              disabled={!canSave}
              loading={isBusy}
              onClick={() => setAndPreview(false)}
            >
              {t('action.save')}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  );
}

function problemOf(count: number, isKeyed: boolean) {
  if (count > 0) return { key: 'mapping.needsYou', count } as const;
  return isKeyed ? undefined : ({ key: 'mapping.needsKey', count } as const);
}

/** What the server said of single lines, by their place. */
function lineFaults(fault: ApiFault | null): ReadonlyMap<number, string> {
  const said = (fault?.errors ?? []).flatMap(({ loc, msg }) => {
    const at = loc.indexOf('mappings');
    const line = loc[at + 1];
    return at >= 0 && line !== undefined ? [[Number(line), msg] as const] : [];
  });
  return new Map(said);
}
