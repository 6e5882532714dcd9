import { Button, TextInput } from '@mantine/core';
import { Search, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { listAssets } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSettled } from '../../settled.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { Asset } from './asset.ts';
import css from './assets.module.css';
import { nameOf } from './paths.ts';
import { Thumbnail } from './thumbnail.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

type AssetPickerProps = {
  readonly title: string;
  readonly type: Asset['type'];
  readonly choose: (asset: Pick<Asset, 'reference'>) => void;
  readonly close: () => void;
};

const SHOWN = 60;
const TYPING_MS = 250;

/** Chooses a file of the library, or uploads the one that is missing. */
export function AssetPicker({ title, type, choose, close }: AssetPickerProps) {
  const t = useText();
  const [find, setFind] = useState('');
  const q = useSettled(find, TYPING_MS);
  const picked = useRef<HTMLInputElement>(null);
  const { data, error, refetch } = useRead(
    listAssets,
    { type, limit: SHOWN, ...(q !== '' && { q }) },
    { keepsLast: true },
  );
  const { uploads, upload, dismiss } = useUploads(FOLDERS[type], choose);
  return (
    <Dialog size="lg" onClose={close} title={title}>
      <div className="col gap4">
        <div className="row">
          <TextInput
            className="grow"
            leftSection={<Search className="icon s" />}
            aria-label={t('assets.search')}
            placeholder={t('assets.searchHint')}
            data-autofocus
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
          <Button leftSection={<Upload className="icon" />} onClick={() => picked.current?.click()}>
            {t('assets.upload')}
          </Button>
          <input
            ref={picked}
            type="file"
            hidden
            aria-label={t('assets.upload')}
            onChange={(event) => upload([...(event.currentTarget.files ?? [])])}
          />
        </div>
        <FaultBanner fault={error} retry={() => void refetch()} />
        <UploadList uploads={uploads} dismiss={dismiss} />
        {data?.items.length === 0 && <p className="mid">{t('assets.noHit')}</p>}
        <ul className={css.choice}>
          {data?.items.map((asset) => (
            <li key={asset.id}>
              <button type="button" className={css.pick} onClick={() => choose(asset)}>
                <Thumbnail asset={asset} width={200} />
                <span className="small clip">{nameOf(asset.path)}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

const FOLDERS = { image: 'images', font: 'fonts', audio: 'sounds', video: 'clips' } as const;
