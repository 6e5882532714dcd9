import { Button, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { listApiKeys, setApiKeyIpWhitelist } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { ApiKey } from './api-keys.tsx';
import css from './profile.module.css';

/** The addresses that a key works from. Each change is saved at once; the server says what is no address. */
export function Addresses({
  of: { id, name, ip_whitelist: addresses },
  close,
}: {
  readonly of: ApiKey;
  readonly close: () => void;
}) {
  const t = useText();
  const [entry, setEntry] = useState('');
  const { write, isBusy, fault, proof, reset } = useProvenWrite(setApiKeyIpWhitelist, {
    changes: [listApiKeys],
    onDone: () => setEntry(''),
  });
  const set = (list: readonly string[]) => write({ key_id: id, ip_whitelist: [...list] });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (entry.trim() !== '') set([...addresses, entry.trim()]);
  };
  const refused = fault?.errors[0]?.msg;
  return (
    <section className={css.addresses} aria-labelledby="addresses">
      <h3 className="h3" id="addresses">
        {t('keys.addressesOf', { name })}
      </h3>
      <p className="small dim">{t('keys.addressesAbout')}</p>
      {proof}
      <FaultBanner fault={refused === undefined ? fault : null} />
      <form className={css.chips} onSubmit={add}>
        {addresses.map((address) => (
          <span className={`chip mono ${css.chip}`} key={address}>
            {address}
            <button
              type="button"
              aria-label={t('keys.removeAddress', { address })}
              onClick={() => set(addresses.filter((one) => one !== address))}
            >
              <X className="icon s" />
            </button>
          </span>
        ))}
        <TextInput
          size="xs"
          aria-label={t('keys.addAddress')}
          placeholder="203.0.113.7"
          name="address"
          autoComplete="off"
          spellCheck={false}
          value={entry}
          error={refused}
          onChange={({ currentTarget }) => {
            reset();
            setEntry(currentTarget.value);
          }}
        />
        <Button type="submit" size="xs" loading={isBusy}>
          {t('keys.addAddress')}
        </Button>
        <Button size="xs" variant="subtle" onClick={close}>
          {t('action.close')}
        </Button>
      </form>
    </section>
  );
}
