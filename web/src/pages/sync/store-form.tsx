import '../../ui/styles/password.ts';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { connectStore, getSyncUsage, listStores } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './connections.module.css';
import { useConsent } from './consent.ts';
import { DemoButton } from './demo-button.tsx';
import { shopDomain } from './shop-domain.ts';

/** Connects a store: by consent at Shopify where the server can, else with a token. The store is asked at once. */
export function StoreForm({ isFirst = false }: { readonly isFirst?: boolean | undefined }) {
  const t = useText();
  const { data: config } = useServerConfig();
  const [pasted, setPasted] = useState('');
  const [secret, setSecret] = useState('');
  const consent = useConsent();
  const { write, isBusy, fault } = useWrite(connectStore, {
    changes: [listStores, getSyncUsage],
    said: ({ domain }) => t('sync.connected', { name: domain }),
    onDone: () => {
      setPasted('');
      setSecret('');
    },
  });
  const domain = shopDomain(pasted);
  const isSecret = secret.startsWith('shpss_');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ domain: domain ?? pasted, store_access_token: secret });
  };
  return (
    <form className="col gap4" onSubmit={submit}>
      <div className="col">
        <h2 className="sign h2">{t('stores.connect')}</h2>
        <p className="mid prose">{t('stores.connectAbout')}</p>
      </div>
      <FaultBanner fault={fault ?? consent.fault} />
      <TextInput
        label={t('stores.domain')}
        required
        placeholder="name.myshopify.com"
        autoComplete="off"
        spellCheck={false}
        value={pasted}
        description={
          domain !== undefined && domain !== pasted ? t('stores.readAs', { domain }) : t('stores.domainHint')
        }
        onChange={(event) => setPasted(event.currentTarget.value)}
      />
      {config?.connect.shopify && (
        <>
          <Button
            variant="filled"
            className={css.wide}
            loading={consent.isBusy}
            disabled={domain === undefined}
            onClick={() => void consent.shopify(domain ?? '')}
          >
            {t('stores.withShopify')}
          </Button>
          <p className={`small dim ${css.or}`}>{t('sync.orToken')}</p>
        </>
      )}
      <PasswordInput
        label={t('stores.token')}
        required
        autoComplete="off"
        value={secret}
        description={t('sync.secretHint')}
        error={isSecret && t('stores.tokenIsSecret')}
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <div className="row wrap">
        <Button
          type="submit"
          variant={config?.connect.shopify || isFirst ? 'default' : 'filled'}
          loading={isBusy}
        >
          {t('stores.add')}
        </Button>
        {!isFirst && <DemoButton variant="subtle" />}
      </div>
    </form>
  );
}
