import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { createApiKey, listApiKeys } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './profile.module.css';

/** A new key: its name, then the key itself, this once. */
export function NewKey({ close }: { readonly close: () => void }) {
  const t = useText();
  const [name, setName] = useState('');
  const [made, setMade] = useState<string>();
  const { write, isBusy, fault, proof } = useProvenWrite(createApiKey, {
    changes: [listApiKeys],
    onDone: ({ key }) => setMade(key),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ name: name.trim() });
  };
  if (made !== undefined)
    return (
      <section className={css.once} aria-label={t('keys.made')}>
        <div className="row">
          <h3 className="h3">{name}</h3>
          <span className="cap push">{t('keys.once')}</span>
        </div>
        <div className="copy-line">
          <code className={`grow ${css.value}`}>{made}</code>
          <CopyButton value={made} label={t('keys.copy')} autoFocus />
        </div>
        <div className="row wrap">
          <span className="small mid grow">{t('keys.store')}</span>
          <Button size="xs" onClick={close}>
            {t('keys.stored')}
          </Button>
        </div>
      </section>
    );
  return (
    <form className={css.naming} onSubmit={submit}>
      {proof}
      <FaultBanner fault={fault?.about('name') === undefined ? fault : null} />
      <TextInput
        label={t('keys.name')}
        description={t('keys.nameHint')}
        name="key-name"
        autoFocus
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        error={fault?.about('name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" variant="filled" loading={isBusy}>
          {t('keys.create')}
        </Button>
        <Button variant="subtle" onClick={close}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  );
}
