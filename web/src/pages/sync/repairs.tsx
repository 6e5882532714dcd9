import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { listSyncConfigs, previewSync, updateSyncConfig } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { useNames } from './names.ts';
import { type Repair, repairOf } from './repair-of.ts';
import type { RunRecord } from './run-state.tsx';
import { sheetAddress } from './sheet-address.ts';

type RepairProps = {
  readonly run: RunRecord;
  readonly code: string;
  readonly row?: number | undefined;
};

/** The one thing that repairs an error: every repair here leads to a plan, before anything is written. */
export function RepairButton({ run, code, row }: RepairProps) {
  const t = useText();
  const [, go] = useLocation();
  const { sheet } = useNames();
  const [begun, setBegun] = useState<Repair>();
  const preview = useWrite(previewSync, {
    changes: [],
    onDone: ({ plan_id }) => go(`/runs/plan/${plan_id}`),
  });
  const update = useWrite(updateSyncConfig, {
    changes: [listSyncConfigs],
    onDone: () => preview.write({ config_id: run.config_id }),
  });
  const repair = repairOf(code);
  const found = sheet(run.sheet_id);
  const isBusy = begun !== undefined && (preview.isBusy || update.isBusy);
  const act = () => {
    setBegun(repair);
    if (repair === 'activate') update.write({ config_id: run.config_id, activate: true });
    else if (repair === 'add_columns') update.write({ config_id: run.config_id, add_columns: true });
    else preview.write({ config_id: run.config_id });
  };
  const about = row === undefined ? '' : ` ${t('repair.about', { row })}`;
  const named = (label: string) => (
    <>
      {label}
      <span className="sr">{about}</span>
    </>
  );
  if (repair === 'sheet') {
    if (!found || found.spreadsheet_id === 'demo') return null;
    return (
      <Button
        size="xs"
        variant="subtle"
        component="a"
        href={sheetAddress(found, row)}
        target="_blank"
        rel="noreferrer"
      >
        {named(row === undefined ? t('repair.sheet') : t('repair.sheetRow', { row }))}
      </Button>
    );
  }
  if (repair === 'stores' || repair === 'sheets')
    return (
      <Button size="xs" component={Link} href={`/${repair}`}>
        {named(t(`repair.${repair}`))}
      </Button>
    );
  if (repair === 'conflict')
    return (
      <Button size="xs" variant="subtle" component="a" href="#conflicts">
        {named(t('repair.conflict'))}
      </Button>
    );
  return (
    <>
      <Button size="xs" variant="subtle" loading={isBusy} onClick={act}>
        {named(t(`repair.${repair}`))}
      </Button>
      <FaultBanner fault={begun === undefined ? null : (preview.fault ?? update.fault)} />
    </>
  );
}
