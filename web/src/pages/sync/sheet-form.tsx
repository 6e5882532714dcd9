import '../../ui/styles/password.ts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { connectSheet, getSyncUsage, listSheets } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './connections.module.css';
import { useConsent } from './consent.ts';
import { DemoButton } from './demo-button.tsx';

const BLANK = { spreadsheet: '', name: '', tab: 'Sheet1', access: '', refresh: '' };

/** Connects a tab of a spreadsheet: by consent at Google where the server can, else with tokens. */
export function SheetForm({ isFirst = false }: { readonly isFirst?: boolean | undefined }) {
  const t = useText();
  const { data: config } = useServerConfig();
  const [typed, setTyped] = useState(BLANK);
  const consent = useConsent();
  const { write, isBusy, fault } = useWrite(connectSheet, {
    changes: [listSheets, getSyncUsage],
    said: ({ name }) => t('sync.connected', { name }),
    onDone: () => setTyped(BLANK),
  });
  const field = (name: keyof typeof BLANK) => ({
    value: typed[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: value }),
  });
  const name = typed.name.trim() === '' ? {} : { name: typed.name };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({
      spreadsheet_id: typed.spreadsheet,
      ...name,
      sheet_name: typed.tab,
      access_token: typed.access,
      ...(typed.refresh !== '' && { refresh_token: typed.refresh }),
    });
  };
  const tab = fault?.code === 'sheet_not_found' && fault.message.includes(`'${typed.tab}'`);
  return (
    <form className="col gap4" onSubmit={submit}>
      <div className="col">
        <h2 className="sign h2">{t('sheets.connect')}</h2>
        <p className="mid prose">{t('sheets.connectAbout')}</p>
      </div>
      <FaultBanner fault={tab ? consent.fault : (fault ?? consent.fault)} />
      {config?.connect.google && (
        <>
          <Button
            variant="filled"
            className={css.wide}
            loading={consent.isBusy}
            onClick={() =>
              void consent.google({
                ...name,
                ...(typed.spreadsheet !== '' && { spreadsheet_id: typed.spreadsheet, sheet_name: typed.tab }),
              })
            }
          >
            {t('sheets.withGoogle')}
          </Button>
          <p className={`small dim ${css.or}`}>{t('sync.orToken')}</p>
        </>
      )}
      <TextInput
        label={t('sheets.spreadsheet')}
        description={t('sheets.spreadsheetHint')}
        required
        autoComplete="off"
        spellCheck={false}
        {...field('spreadsheet')}
      />
      <TextInput label={t('sheets.name')} description={t('sheets.nameHint')} {...field('name')} />
      <TextInput
        label={t('sheets.tab')}
        description={t('sheets.tabHint')}
        required
        error={tab ? fault.message : undefined}
        {...field('tab')}
      />
      <PasswordInput
        label={t('sheets.access')}
        description={t('sync.secretHint')}
        required
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        {...field('access')}
      />
      <PasswordInput
        label={t('sheets.refresh')}
        description={t('sheets.refreshHint')}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        {...field('refresh')}
      />
      <div className="row wrap">
        <Button
          type="submit"
          variant={config?.connect.google || isFirst ? 'default' : 'filled'}
          loading={isBusy}
        >
          {t('sheets.add')}
        </Button>
        {!isFirst && <DemoButton variant="subtle" />}
      </div>
    </form>
  );
}
