import '../../ui/styles/select.ts';
import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { listStoreLocations, listStores, updateStore } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { Store } from './stores.tsx';

/** The location whose stock is read and written, out of those the store has. */
export function LocationDialog({ store, close }: { readonly store: Store; readonly close: () => void }) {
  const t = useText();
  const [chosen, setChosen] = useState(store.location_id);
  const { data, error } = useRead(listStoreLocations, { store_id: store.id });
  const { write, isBusy, fault } = useWrite(updateStore, {
    changes: [listStores],
    said: ({ location_name }) => t('stores.locationSet', { name: location_name }),
    onDone: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ store_id: store.id, location_id: chosen });
  };
  return (
    <Dialog onClose={close} title={t('stores.locationOf', { name: store.domain })}>
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={error ?? fault} />
        <NativeSelect
          label={t('stores.location')}
          description={t('stores.locationHint')}
          data-autofocus
          disabled={!data}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={chosen === store.location_id}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
