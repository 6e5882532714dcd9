import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../../api/operation.ts';
import { listApiKeys, revokeApiKey } from '../../api/operations.gen.ts';
import { useReadPages } from '../../api/read-pages.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { State } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.ts';
import { Addresses } from './addresses.tsx';
import { NewKey } from './new-key.tsx';
import css from './profile.module.css';

export type ApiKey = Output<typeof listApiKeys>['items'][number];

/** Keys are of the Enterprise and Pro API plans; others read what they are, and where to get them. */
export function ApiKeys({
  plans,
}: {
  readonly plans: { readonly hooks: string; readonly sync: string } | undefined;
}) {
  const t = useText();
  if (plans === undefined) return null;
  const mayHave = plans.hooks === 'enterprise' || plans.sync === 'pro_api';
  return (
    <section className="block" aria-labelledby="keys">
      <header>
        <h2 className="h3" id="keys">
          {t('keys.title')}
        </h2>
        <span className="cap">{t('keys.about')}</span>
      </header>
      {mayHave ? (
        <Keys />
      ) : (
        <Banner
          title={t('keys.notInPlan')}
          action={
            <Button component={Link} href="/billing" size="xs">
              {t('keys.upgrade')}
            </Button>
          }
        >
          {t('keys.notInPlanAbout')}
        </Banner>
      )}
    </section>
  );
}

function Keys() {
  const t = useText();
  const [isNaming, setNaming] = useState<boolean>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [editing, setEditing] = useState<string>();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useReadPages(listApiKeys, { limit: 50 });
  const keys = data?.flatMap((page) => page.items) ?? [];
  const edited = keys.find(({ id }) => id === editing);
  return (
    <div className="col gap4">
      <FaultBanner fault={error} retry={() => void refetch()} />
      {isNaming ? (
        <NewKey close={() => setNaming(false)} />
      ) : (
        <div>
          <Button
            leftSection={<Plus className="icon" />}
            // Back from the new key.
            autoFocus={isNaming === false}
            onClick={() => setNaming(true)}
          >
            {t('keys.new')}
          </Button>
        </div>
      )}
      {data && keys.length === 0 && <p className="mid">{t('keys.none')}</p>}
      {keys.length > 0 && (
        <table className={`ledger ${css.keys}`}>
          <thead>
            <tr>
              <th className="m">{t('keys.key')}</th>
              <th>{t('keys.name')}</th>
              <th>{t('keys.addresses')}</th>
              <th>{t('keys.lastUsed')}</th>
              <th className="n">
                <span className="sr">{t('keys.revoke')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} of={key} edit={() => setEditing(key.id)} revoke={() => setRevoking(key)} />
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('invoice.more')}</Button>}
      {edited && <Addresses of={edited} close={() => setEditing(undefined)} />}
      {revoking && <Revoke of={revoking} close={() => setRevoking(undefined)} />}
    </div>
  );
}

type KeyRowProps = { readonly of: ApiKey; readonly edit: () => void; readonly revoke: () => void };

function KeyRow({
  of: { masked, name, ip_whitelist: addresses, last_used_at: used, origin },
  edit,
  revoke,
}: KeyRowProps) {
  const t = useText();
  return (
    <tr>
      <td className="m">{masked}</td>
      <td>
        <State kind="ok">{name}</State>
      </td>
      <td>
        <button type="button" className={css.edit} onClick={edit}>
          <span className="sr">{t('keys.edit', { name })} </span>
          {addresses.length === 0 ? (
            <span className="dim">{t('keys.anywhere')}</span>
          ) : (
            addresses.map((address) => (
              <span className="chip mono" key={address}>
                {address}
              </span>
            ))
          )}
        </button>
      </td>
      <td className="dim">{used === null ? t('keys.never') : ago(used)}</td>
      <td className="n">
        {origin === 'account' && (
          <Button size="xs" variant="subtle" color="red" onClick={revoke}>
            {t('keys.revoke')}
            <span className="sr"> {name}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

function Revoke({ of: { id, name }, close }: { readonly of: ApiKey; readonly close: () => void }) {
  const t = useText();
  const { write, isBusy, fault, proof } = useProvenWrite(revokeApiKey, {
    changes: [listApiKeys],
    onDone: () => {
      toast(t('keys.revoked', { name }));
      close();
    },
  });
  return (
    proof || (
      <Confirm
        title={t('keys.revokeTitle', { name })}
        act={t('keys.revoke')}
        fault={fault}
        isBusy={isBusy}
        onConfirm={() => write({ key_id: id })}
        close={close}
      >
        {t('keys.revokeAbout')}
      </Confirm>
    )
  );
}
