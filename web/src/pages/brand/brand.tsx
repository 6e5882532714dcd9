import { Button } from '@mantine/core';
import { Globe } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { getBrand } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { BrandEditor } from './brand-editor.tsx';

const ImportBrand = lazy(() =>
  import('./import-brand.tsx').then(({ ImportBrand: One }) => ({ default: One })),
);

/** How the account presents itself. What is read from a website is proposed here, and saved only by Save. */
export function BrandPage() {
  const t = useText();
  const [chosen] = useSearchParam('brand');
  const [importing, setImporting] = useSearchParam('import');
  const [taken, setTaken] = useState<Readonly<Record<string, string>>>({});
  const { data, error, refetch } = useRead(getBrand, chosen === '' ? {} : { brand: chosen });
  if (!data)
    return (
      <Page name={t('nav.brand')}>
        <FaultBanner fault={error} retry={() => void refetch()} />
      </Page>
    );
  return (
    <>
      <BrandEditor
        key={data.brand}
        brand={data}
        taken={taken}
        readSite={
          <Button leftSection={<Globe className="icon" />} onClick={() => setImporting('1')}>
            {t('brand.readSite')}
          </Button>
        }
      />
      {importing !== '' && (
        <Suspense>
          <ImportBrand
            brand={data}
            take={(fields) => {
              setTaken(fields);
              setImporting('');
            }}
            close={() => setImporting('')}
          />
        </Suspense>
      )}
    </>
  );
}
