import { shortDate } from '../../i18n/dates.ts';
import { sizeOf } from '../../i18n/sizes.ts';
import { useText } from '../../i18n/text.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import type { Asset } from './asset.ts';
import css from './assets.module.css';
import { folderOf, nameOf } from './paths.ts';
import { Thumbnail } from './thumbnail.tsx';

type AssetListProps = {
  readonly assets: readonly Asset[] | undefined;
  readonly isPending: boolean;
  readonly open: (id: string) => void;
  readonly openFolder: (folder: string) => void;
};

const BONES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Pictures first: what a file shows, its name and where it lies. */
export function AssetGrid({ assets, isPending, open, openFolder }: AssetListProps) {
  return (
    <ul className={css.grid}>
      {isPending && (
        <AfterAWhile>
          {BONES.map((bone) => (
            <li key={bone}>
              <i className={`bone ${css.bone}`} />
            </li>
          ))}
        </AfterAWhile>
      )}
      {assets?.map((asset) => (
        <li key={asset.id} className={css.card}>
          <button type="button" className={css.pick} onClick={() => open(asset.id)}>
            <Thumbnail asset={asset} width={320} />
            <span className="strong clip">{nameOf(asset.path)}</span>
          </button>
          <span className="row small dim">
            <Folder path={asset.path} openFolder={openFolder} />
            <span className="push num">{sizeOf(asset.bytes)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The same as lines, with what each is used by. */
export function AssetTable({ assets, open, openFolder }: AssetListProps) {
  const t = useText();
  return (
    <div className="scroll-x">
      <table className={`ledger ${css.table}`}>
        <thead>
          <tr>
            <th className="m">{t('assets.changed')}</th>
            <th>{t('assets.file')}</th>
            <th className="opt">{t('assets.usedBy')}</th>
            <th className="n">{t('assets.size')}</th>
            <th className="n">
              <span className="sr">{t('assets.reference')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {assets?.map((asset) => (
            <tr key={asset.id}>
              <td className="m">{shortDate(asset.updated_at)}</td>
              <td>
                <button type="button" className={css.line} onClick={() => open(asset.id)}>
                  <span className={css.small}>
                    <Thumbnail asset={asset} width={96} />
                  </span>
                  <span className="strong clip">{nameOf(asset.path)}</span>
                </button>
                <Folder path={asset.path} openFolder={openFolder} />
              </td>
              <td className="opt dim">
                {asset.used_by.map(({ name }) => name).join(', ') || t('assets.nothing')}
              </td>
              <td className="n">{sizeOf(asset.bytes)}</td>
              <td className="n">
                <CopyButton
                  value={asset.reference}
                  label={t('assets.copyReferenceOf', { file: nameOf(asset.path) })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type FolderProps = { readonly path: string; readonly openFolder: (folder: string) => void };

function Folder({ path, openFolder }: FolderProps) {
  const folder = folderOf(path);
  if (folder === '') return null;
  return (
    <button type="button" className={`small dim clip ${css.folder}`} onClick={() => openFolder(folder)}>
      {folder}
    </button>
  );
}
