import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  deleteSyncConfig,
  listSheets,
  listStores,
  listSyncConfigs,
  listSyncRuns,
  previewSync,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { everyText } from './every-text.ts';
import css from './mapping.module.css';
import type { SyncConfig } from './mapping-draft.ts';
import { useNames } from './names.ts';
import { SyncTabs } from './sync-tabs.tsx';

const MappingDialog = lazy(() =>
  import('./mapping-dialog.tsx').then(({ MappingDialog: One }) => ({ default: One })),
);
const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then(({ DeleteDialog: One }) => ({ default: One })),
);

/** How each store and sheet sync. The one that is open is in the address. */
export function Mappings() {
  const t = useText();
  const { data, error, refetch } = useRead(listSyncConfigs, { limit: 200 });
  const { data: stores } = useRead(listStores, { limit: 200 });
  const { data: sheets } = useRead(listSheets, { limit: 200 });
  const [open, setOpen] = useSearchParam('id');
  const [fresh, setFresh] = useSearchParam('new');
  const config = data?.items.find(({ id }) => id === open);
  const canBegin = (stores?.items.length ?? 0) > 0 && (sheets?.items.length ?? 0) > 0;
  const isOpen = fresh !== '' ? canBegin : config !== undefined;
  const begin = () => setFresh('1');
  const lacks = stores?.items.length === 0 ? '/stores' : '/sheets';
  return (
    <Page
      name={t('nav.mappings')}
      section="sync"
      tabs={<SyncTabs />}
      actions={
        canBegin && (
          <Button variant="filled" leftSection={<Plus className="icon" />} onClick={begin}>
            {t('mapping.new')}
          </Button>
        )
      }
    >
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data?.items.length === 0 && stores && sheets && (
        <Empty
          title={t('mapping.empty')}
          actions={
            canBegin ? (
              <Button variant="filled" onClick={begin}>
                {t('mapping.new')}
              </Button>
            ) : (
              <Button variant="filled" component={Link} href={lacks}>
                {t(lacks === '/stores' ? 'stores.connect' : 'sheets.connect')}
              </Button>
            )
          }
        >
          {t('mapping.emptyNext')}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <table className={`ledger ${css.list}`}>
          <thead>
            <tr>
              <th className="m">{t('mapping.number')}</th>
              <th>{t('mapping.sheet')}</th>
              <th>{t('mapping.store')}</th>
              <th>{t('mapping.direction')}</th>
              <th>{t('mapping.every')}</th>
              <th className="n">{t('mapping.columns')}</th>
              <th>
                <span className="sr">{t('mapping.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((one, at) => (
              <Row key={one.id} config={one} at={at + 1} open={() => setOpen(one.id)} />
            ))}
          </tbody>
        </table>
      )}
      {isOpen && (
        <Suspense>
          <MappingDialog
            key={open}
            config={config}
            close={() => {
              if (fresh !== '') setFresh('');
              else setOpen('');
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}

type RowProps = { readonly config: SyncConfig; readonly at: number; readonly open: () => void };

function Row({ config, at, open }: RowProps) {
  const t = useText();
  const [, go] = useLocation();
  const { storeName, sheetName } = useNames();
  const [isDeleting, setDeleting] = useState(false);
  const preview = useWrite(previewSync, {
    changes: [],
    onDone: ({ plan_id }) => go(`/runs/plan/${plan_id}`),
  });
  const { id, schedule, realtime, enabled, direction, mappings } = config;
  const name = t('sync.pair', { store: storeName(config.store_id), sheet: sheetName(config.sheet_id) });
  return (
    <tr>
      <td className="m">{at}</td>
      <td>
        <button type="button" className={css.open} onClick={open}>
          {sheetName(config.sheet_id)}
          <span className="sr"> {t('mapping.edit')}</span>
        </button>
        <FaultBanner fault={preview.fault} />
      </td>
      <td className="mid">{storeName(config.store_id)}</td>
      <td className="mid">{t(`sync.direction.${direction}`)}</td>
      <td>
        {enabled ? (
          <State kind={schedule || realtime ? 'ok' : 'idle'}>
            {schedule
              ? everyText(schedule.every_minutes, t)
              : t(realtime ? 'mapping.onChange' : 'mapping.byHand')}
          </State>
        ) : (
          <State kind="void">{t('mapping.off')}</State>
        )}
      </td>
      <td className="n">{mappings.length}</td>
      <td className="n">
        <span className={`row ${css.rowActs}`}>
          <Button size="xs" loading={preview.isBusy} onClick={() => preview.write({ config_id: id })}>
            {t('sync.showChanges')}
            <span className="sr"> {name}</span>
          </Button>
          <ActionIcon aria-label={t('mapping.deleteOne', { name })} onClick={() => setDeleting(true)}>
            <Trash2 className="icon" />
          </ActionIcon>
        </span>
        {isDeleting && (
          <Suspense>
            <Deletion id={id} name={name} close={() => setDeleting(false)} />
          </Suspense>
        )}
      </td>
    </tr>
  );
}

type DeletionProps = { readonly id: string; readonly name: string; readonly close: () => void };

function Deletion({ id, name, close }: DeletionProps) {
  const t = useText();
  const { write, isBusy, fault } = useWrite(deleteSyncConfig, {
    changes: [listSyncConfigs, listSyncRuns],
    said: t('mapping.deleted'),
    onDone: close,
  });
  return (
    <DeleteDialog
      title={t('mapping.deleteOne', { name })}
      act={t('mapping.delete')}
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => write({ config_id: id })}
      close={close}
    >
      <p>{t('mapping.goes')}</p>
      <p>{t('mapping.stays')}</p>
    </DeleteDialog>
  );
}
