import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Output } from '../../api/operation.ts';
import {
  deleteSheet,
  getSyncUsage,
  listSheets,
  listSyncConfigs,
  listSyncRuns,
  testSheet,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectionState } from './connection-state.tsx';
import css from './connections.module.css';
import { useConsent, useReturn } from './consent.ts';
import { DemoButton } from './demo-button.tsx';
import { FullPlan, RoomCaption, useRoom } from './room.tsx';
import { sheetAddress } from './sheet-address.ts';
import { SheetForm } from './sheet-form.tsx';
import { SyncTabs } from './sync-tabs.tsx';

const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then(({ DeleteDialog: One }) => ({ default: One })),
);

type Sheet = Output<typeof listSheets>['items'][number];

const DEMO = 'demo';

/** The sheets of the account with the columns they have, and the form that connects one. */
export function Sheets() {
  const t = useText();
  const [, go] = useLocation();
  const { data, error, refetch } = useRead(listSheets, { limit: 200 });
  const { isFull } = useRoom('sheets');
  useReturn((id) => data?.items.find((sheet) => sheet.id === id)?.name);
  const isEmpty = data?.items.length === 0;
  return (
    <Page name={t('nav.sheets')} section="sync" tabs={<SyncTabs />}>
      {isEmpty && (
        <Empty
          title={t('sheets.empty')}
          actions={<DemoButton variant="filled" onDone={() => go('/mapping?new=1')} />}
        >
          {t('sheets.emptyNext')}
        </Empty>
      )}
      <div className={css.connect}>
        {isFull ? <FullPlan kind="sheets" /> : <SheetForm isFirst={isEmpty} />}
        <section className={css.connected} aria-labelledby="connected">
          <header className="row">
            <h2 className="h3" id="connected">
              {t('sync.connectedNow')}
            </h2>
            <RoomCaption kind="sheets" />
          </header>
          <FaultBanner fault={error} retry={() => void refetch()} />
          {isEmpty && <p className="small dim">{t('sheets.none')}</p>}
          <table className="ledger">
            <tbody>
              {data?.items.map((sheet, at) => (
                <Row key={sheet.id} sheet={sheet} at={at + 1} />
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Page>
  );
}

function Row({ sheet, at }: { readonly sheet: Sheet; readonly at: number }) {
  const t = useText();
  const { data: config } = useServerConfig();
  const [isDeleting, setDeleting] = useState(false);
  const consent = useConsent();
  const check = useWrite(testSheet, {
    changes: [listSheets],
    onDone: () => {},
    said: t('sync.answers', { name: sheet.name }),
  });
  const isDemo = sheet.spreadsheet_id === DEMO;
  return (
    <tr data-bad={sheet.status === 'connected' ? undefined : true}>
      <td className="m">{at}</td>
      <td>
        <div className={css.entry}>
          <span className="strong">
            {isDemo ? (
              sheet.name
            ) : (
              <a href={sheetAddress(sheet)} target="_blank" rel="noreferrer">
                {sheet.name}
              </a>
            )}
          </span>
          <span className="small dim">
            {t('sheets.tabOf', { tab: sheet.sheet_name })}
            {sheet.consent && ` · ${t('sync.consentBy', { name: sheet.consent.by })}`}
          </span>
          <span className={css.chips}>
            {sheet.columns.map((column) => (
              <span key={column} className="chip mono">
                {column}
              </span>
            ))}
            {sheet.columns.length === 0 && <span className="small dim">{t('sheets.noColumns')}</span>}
          </span>
          <ConnectionState {...sheet} isDemo={isDemo} />
          {sheet.warnings?.map(({ code, message }) => (
            <p key={code} className="small mid">
              {message}
            </p>
          ))}
          <FaultBanner fault={check.fault ?? consent.fault} />
          <div className={`row wrap ${css.acts}`}>
            <Button
              size="xs"
              variant="subtle"
              loading={check.isBusy}
              onClick={() => check.write({ sheet_id: sheet.id })}
            >
              {t('sheets.readColumns')}
              <span className="sr"> {sheet.name}</span>
            </Button>
            {config?.connect.google && !isDemo && (
              <Button
                size="xs"
                variant="subtle"
                loading={consent.isBusy}
                onClick={() => void consent.google({ sheet_id: sheet.id })}
              >
                {t('sheets.renew')}
                <span className="sr"> {sheet.name}</span>
              </Button>
            )}
            <Button size="xs" variant="subtle" onClick={() => setDeleting(true)}>
              {t('sync.disconnect')}
              <span className="sr"> {sheet.name}</span>
            </Button>
          </div>
        </div>
        {isDeleting && (
          <Suspense>
            <Deletion sheet={sheet} close={() => setDeleting(false)} />
          </Suspense>
        )}
      </td>
    </tr>
  );
}

function Deletion({ sheet, close }: { readonly sheet: Sheet; readonly close: () => void }) {
  const t = useText();
  const { data } = useRead(listSyncConfigs, { limit: 200 });
  const uses = data?.items.filter((config) => config.sheet_id === sheet.id).length ?? 0;
  const { write, isBusy, fault } = useWrite(deleteSheet, {
    changes: [listSheets, listSyncConfigs, listSyncRuns, getSyncUsage],
    said: t('sync.disconnected', { name: sheet.name }),
    onDone: close,
  });
  return (
    <DeleteDialog
      title={t('sync.disconnectOne', { name: sheet.name })}
      act={t('sync.disconnect')}
      isBusy={isBusy || !data}
      fault={fault}
      onConfirm={() => write({ sheet_id: sheet.id, cascade: uses > 0 })}
      close={close}
    >
      <p>{t('sheets.goes')}</p>
      {uses > 0 && <p className="strong">{t('sync.goesToo', { count: uses })}</p>}
      <p>{t('sheets.stays')}</p>
    </DeleteDialog>
  );
}
