import { Button } from '@mantine/core';
import { Upload } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { Link } from 'wouter';
import { listAssets } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { AssetGrid, AssetTable } from './asset-list.tsx';
import { AssetTools } from './asset-tools.tsx';
import css from './assets.module.css';
import { UploadList } from './upload-list.tsx';
import { useAssetFilter } from './use-asset-filter.ts';
import { useFilesGiven } from './use-files-given.ts';
import { useUploads } from './use-uploads.ts';

const AssetDetails = lazy(() =>
  import('./asset-details.tsx').then(({ AssetDetails: One }) => ({ default: One })),
);

const PAGE = 60;

/** The account's own files. What is looked for and which file is open are in the address. */
export function Assets() {
  const t = useText();
  const filter = useAssetFilter();
  const [view, setView] = useSearchParam('view');
  const [cursor, setCursor] = useSearchParam('cursor');
  const [open, setOpen] = useSearchParam('asset');
  const { data, error, refetch, isPending } = useRead(
    listAssets,
    { ...filter.wanted, limit: PAGE, ...(cursor !== '' && { cursor }) },
    { keepsLast: true },
  );
  const { uploads, upload, dismiss } = useUploads(filter.folder);
  const isOver = useFilesGiven(upload);
  const picked = useRef<HTMLInputElement>(null);
  const isEmpty = data?.items.length === 0;
  const uploadButton = (
    <Button
      variant="filled"
      leftSection={<Upload className="icon" />}
      onClick={() => picked.current?.click()}
    >
      {t('assets.upload')}
    </Button>
  );
  const Items = view === 'list' ? AssetTable : AssetGrid;
  return (
    <Page name={t('nav.assets')} actions={uploadButton}>
      <input
        ref={picked}
        type="file"
        multiple
        hidden
        aria-label={t('assets.upload')}
        onChange={({ currentTarget }) => {
          upload([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {isOver && <DropHere folder={filter.folder} />}
      <UploadList uploads={uploads} dismiss={dismiss} />
      {error && (
        <div className={css.tools}>
          <FaultBanner fault={error} retry={() => void refetch()} />
        </div>
      )}
      {isEmpty && !filter.isChosen && cursor === '' ? (
        <Empty title={t('assets.empty')} actions={uploadButton}>
          {t('assets.emptyNext')}
        </Empty>
      ) : (
        <>
          <AssetTools filter={filter} view={view} setView={setView} usage={data} />
          <Items
            assets={data?.items}
            isPending={isPending}
            open={setOpen}
            openFolder={(folder) => filter.set('folder', folder)}
          />
          {isEmpty && (
            <p className="mid row">
              {t('assets.noHit')}
              <Link href="/assets">{t('action.clear')}</Link>
            </p>
          )}
          {data?.next_cursor && (
            <Button className={css.more} onClick={() => setCursor(data.next_cursor ?? '')}>
              {t('assets.next')}
            </Button>
          )}
        </>
      )}
      {open !== '' && (
        <Suspense>
          <AssetDetails
            key={open}
            id={open}
            listed={data?.items.find(({ id, path }) => id === open || path === open)}
            close={() => setOpen('')}
          />
        </Suspense>
      )}
    </Page>
  );
}

function DropHere({ folder }: { readonly folder: string }) {
  const t = useText();
  return (
    <div className={css.drop}>
      <span className="sign h2">{folder === '' ? t('assets.drop') : t('assets.dropIn', { folder })}</span>
    </div>
  );
}
