import '../../ui/styles/select.ts';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { listProducts, listStores } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import type { Data } from './data-schema.ts';

type ProductPickerProps = {
  readonly onChoose: (product: { readonly title: string; readonly data: Data }) => void;
};

/** Fills the form with a product of a connected store. Nothing where no store is connected. */
export function ProductPicker({ onChoose }: ProductPickerProps) {
  const t = useText();
  const { data: stores } = useRead(listStores, {});
  const [chosen, setChosen] = useState('');
  const store = stores?.items[0];
  const { data: products } = useRead(
    listProducts,
    { store_id: store?.id ?? '', limit: 50 },
    { enabled: store !== undefined },
  );
  if (!store || !products || products.items.length === 0) return null;
  const choose = (id: string) => {
    setChosen(id);
    const product = products.items.find((one) => one.id === id);
    if (!product) return;
    const { title, price, currency, image, url } = product;
    onChoose({
      title,
      data: {
        name: title,
        price,
        currency,
        ...(image !== null && { image }),
        ...(url !== null && { store: new URL(url).hostname }),
      },
    });
  };
  return (
    <NativeSelect
      size="xs"
      label={t('make.fromProduct')}
      value={chosen}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: '', label: t('make.noProduct') },
        ...products.items.map(({ id, title }) => ({ value: id, label: title })),
      ]}
    />
  );
}
