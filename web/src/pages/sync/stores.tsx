import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Output } from '../../api/operation.ts';
import {
  deleteStore,
  getSyncUsage,
  listStores,
  listSyncConfigs,
  listSyncRuns,
  testStore,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectionState } from './connection-state.tsx';
import css from './connections.module.css';
import { useReturn } from './consent.ts';
import { DemoButton } from './demo-button.tsx';
import { FullPlan, RoomCaption, useRoom } from './room.tsx';
import { StoreForm } from './store-form.tsx';
import { SyncTabs } from './sync-tabs.tsx';

const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then(({ DeleteDialog: One }) => ({ default: One })),
);
const LocationDialog = lazy(() =>
  import('./location-dialog.tsx').then(({ LocationDialog: One }) => ({ default: One })),
);

export type Store = Output<typeof listStores>['items'][number];

const DEMO = 'demo.myshopify.com';

/** The stores of the account, and the form that connects one. */
export function Stores() {
  const t = useText();
  const [, go] = useLocation();
  const { data, error, refetch } = useRead(listStores, { limit: 200 });
  const { isFull } = useRoom('stores');
  useReturn((id) => data?.items.find((store) => store.id === id)?.domain);
  const isEmpty = data?.items.length === 0;
  return (
    <Page name={t('nav.stores')} section="sync" tabs={<SyncTabs />}>
      {isEmpty && (
        <Empty
          title={t('stores.empty')}
          actions={<DemoButton variant="filled" onDone={() => go('/mapping?new=1')} />}
        >
          {t('stores.emptyNext')}
        </Empty>
      )}
      <div className={css.connect}>
        {isFull ? <FullPlan kind="stores" /> : <StoreForm isFirst={isEmpty} />}
        <section className={css.connected} aria-labelledby="connected">
          <header className="row">
            <h2 className="h3" id="connected">
              {t('sync.connectedNow')}
            </h2>
            <RoomCaption kind="stores" />
          </header>
          <FaultBanner fault={error} retry={() => void refetch()} />
          {isEmpty && <p className="small dim">{t('stores.none')}</p>}
          <table className="ledger">
            <tbody>
              {data?.items.map((store, at) => (
                <Row key={store.id} store={store} at={at + 1} />
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Page>
  );
}

function Row({ store, at }: { readonly store: Store; readonly at: number }) {
  const t = useText();
  const [open, setOpen] = useState<'location' | 'delete'>();
  const check = useWrite(testStore, {
    changes: [listStores],
    onDone: () => {},
    said: t('sync.answers', { name: store.domain }),
  });
  return (
    <tr data-bad={store.status === 'connected' ? undefined : true}>
      <td className="m">{at}</td>
      <td>
        <div className={css.entry}>
          <span className="strong">{store.domain}</span>
          <span className="small dim">
            {store.location_name || store.location_id || t('stores.noLocation')}
            {store.consent && ` · ${t('sync.consentBy', { name: store.consent.by })}`}
          </span>
          <ConnectionState {...store} isDemo={store.domain === DEMO} />
          <FaultBanner fault={check.fault} />
          <div className={`row wrap ${css.acts}`}>
            <Button
              size="xs"
              variant="subtle"
              loading={check.isBusy}
              onClick={() => check.write({ store_id: store.id })}
            >
              {t('sync.check')}
              <span className="sr"> {store.domain}</span>
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setOpen('location')}>
              {t('stores.location')}
              <span className="sr"> {store.domain}</span>
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setOpen('delete')}>
              {t('sync.disconnect')}
              <span className="sr"> {store.domain}</span>
            </Button>
          </div>
        </div>
        <Suspense>
          {open === 'delete' && <Deletion store={store} close={() => setOpen(undefined)} />}
          {open === 'location' && <LocationDialog store={store} close={() => setOpen(undefined)} />}
        </Suspense>
      </td>
    </tr>
  );
}

function Deletion({ store, close }: { readonly store: Store; readonly close: () => void }) {
  const t = useText();
  const { data } = useRead(listSyncConfigs, { limit: 200 });
  const uses = data?.items.filter((config) => config.store_id === store.id).length ?? 0;
  const { write, isBusy, fault } = useWrite(deleteStore, {
    changes: [listStores, listSyncConfigs, listSyncRuns, getSyncUsage],
    said: t('sync.disconnected', { name: store.domain }),
    onDone: close,
  });
  return (
    <DeleteDialog
      title={t('sync.disconnectOne', { name: store.domain })}
      act={t('sync.disconnect')}
      isBusy={isBusy || !data}
      fault={fault}
      onConfirm={() => write({ store_id: store.id, cascade: uses > 0 })}
      close={close}
    >
      <p>{t('stores.goes')}</p>
      {uses > 0 && <p className="strong">{t('sync.goesToo', { count: uses })}</p>}
      <p>{t('stores.stays')}</p>
    </DeleteDialog>
  );
}
