import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { download } from '../../api/download.ts';
import { ApiFault } from '../../api/fault.ts';
import { deleteAccount, exportAccount, getProfile } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { forget } from '../../session/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.ts';
import css from './settings.module.css';
import { SettingsTabs } from './tabs.tsx';

/** What the account holds as a file, and its end. */
export function Account() {
  const t = useText();
  const { data: profile } = useRead(getProfile, {});
  const [isDeleting, setDeleting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<ApiFault | null>(null);
  const take = async () => {
    setBusy(true);
    setFailed(null);
    try {
      await download(exportAccount, {});
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page name={t('account.title')} tabs={<SettingsTabs />}>
      <div className={css.settings}>
        <section className="col gap3" aria-labelledby="export">
          <h2 className="h3" id="export">
            {t('account.export')}
          </h2>
          <p className="prose">{t('account.exportAbout')}</p>
          <FaultBanner fault={failed} />
          <div>
            <Button leftSection={<Download className="icon" />} loading={isBusy} onClick={() => void take()}>
              {t('account.exportAct')}
            </Button>
          </div>
        </section>
        {profile?.role === 'owner' && (
          <section className="block col gap3" aria-labelledby="delete">
            <h2 className="h3" id="delete">
              {t('account.delete')}
            </h2>
            <p className="prose">{t('account.deleteAbout')}</p>
            <div>
              <Button color="red" onClick={() => setDeleting(true)}>
                {t('account.deleteOpen', { name: profile.account.name })}
              </Button>
            </div>
          </section>
        )}
        {isDeleting && profile && <Delete name={profile.account.name} close={() => setDeleting(false)} />}
      </div>
    </Page>
  );
}

function Delete({ name, close }: { readonly name: string; readonly close: () => void }) {
  const t = useText();
  const [, go] = useLocation();
  const { write, isBusy, fault, proof } = useProvenWrite(deleteAccount, {
    changes: [],
    onDone: ({ restorable_until: until }) => {
      toast(t('account.deleted', { name, date: fullDate(until) }));
      forget();
      go('/login');
    },
  });
  return (
    proof || (
      <Confirm
        title={t('account.deleteOpen', { name })}
        act={t('account.deleteAct')}
        typed={{ label: t('account.confirm', { name }), value: name }}
        fault={fault}
        isBusy={isBusy}
        onConfirm={() => write({ confirm: name })}
        close={close}
      >
        {t('account.deleteAbout')}
      </Confirm>
    )
  );
}
