import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/call.ts';
import { deleteAsset, getAsset, listAssets, updateAsset } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { sizeOf } from '../../i18n/sizes.ts';
import { text, useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { toast } from '../../ui/toast.ts';
import type { Asset } from './asset.ts';
import css from './assets.module.css';
import { nameOf } from './paths.ts';
import { Thumbnail } from './thumbnail.tsx';

type AssetDetailsProps = {
  readonly id: string;
  /** The list has deleted ones too, which are not read one by one. */
  readonly listed: Asset | undefined;
  readonly close: () => void;
};

/** One file: how it is referred to, what uses it, what it is called. */
export function AssetDetails({ id, listed, close }: AssetDetailsProps) {
  const t = useText();
  const { data, error } = useRead(getAsset, { asset_id: id }, { enabled: listed?.deleted_at === undefined });
  const asset = data ?? listed;
  return (
    <Dialog size="lg" onClose={close} title={asset ? nameOf(asset.path) : t('nav.assets')}>
      {asset ? (
        <div className="col gap4">
          <div className={css.details}>
            <Thumbnail asset={asset} width={640} />
            <Facts asset={asset} />
          </div>
          {asset.deleted_at === undefined ? (
            <Change key={asset.updated_at} asset={asset} close={close} />
          ) : (
            <Restore asset={asset} close={close} />
          )}
        </div>
      ) : (
        <FaultBanner fault={error} />
      )}
    </Dialog>
  );
}

function Facts({ asset }: { readonly asset: Asset }) {
  const t = useText();
  const { media_type, bytes, width, height, duration, reference, url, used_by: users, tags } = asset;
  return (
    <div className="lines">
      <Line name={t('assets.reference')}>
        <span className="mono clip">{reference}</span>
        <CopyButton value={reference} label={t('assets.copyReference')} />
      </Line>
      <Line name={t('assets.address')}>
        <a href={url} target="_blank" rel="noreferrer" className="clip">
          {t('assets.openAddress')}
        </a>
        <CopyButton value={url} label={t('assets.copyAddress')} />
      </Line>
      <Line name={t('assets.file')}>
        {[
          media_type,
          sizeOf(bytes),
          width !== undefined && height !== undefined && `${width} × ${height}`,
          duration !== undefined && `${Math.round(duration * 10) / 10} s`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Line>
      <Line name={t('assets.usedBy')}>
        {users.length === 0 && <span className="dim">{t('assets.nothing')}</span>}
        <span className="row wrap">
          {users.map(({ kind, name }) => (
            <Link key={`${kind} ${name}`} href={pageOf(kind, name)}>
              {name}
            </Link>
          ))}
        </span>
      </Line>
      {tags.length > 0 && (
        <Line name={t('assets.tags')}>
          {tags.map((tag) => (
            <Link key={tag} href={`/assets?tag=${encodeURIComponent(tag)}`} className="chip">
              {tag}
            </Link>
          ))}
        </Line>
      )}
    </div>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <span>{name}</span>
      <span className="row">{children}</span>
    </div>
  );
}

/** A sample is named `template/sample`. */
function pageOf(kind: Asset['used_by'][number]['kind'], name: string): string {
  const [template = name] = kind === 'fixture' ? name.split('/') : [name];
  return kind === 'video_template' ? `/videos/templates` : `/templates/${encodeURIComponent(template)}`;
}

/** Its path, its words and its end. */
function Change({ asset, close }: { readonly asset: Asset; readonly close: () => void }) {
  const t = useText();
  const [path, setPath] = useState(asset.path);
  const [alt, setAlt] = useState(asset.alt);
  const [tags, setTags] = useState(asset.tags.join(', '));
  const { write, isBusy, fault } = useWrite(updateAsset, {
    changes: [listAssets, getAsset],
    said: t('assets.saved', { file: nameOf(path) }),
    onDone: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = tags.split(',').map((tag) => tag.trim());
    write({
      asset_id: asset.id,
      ...(path !== asset.path && { path }),
      alt,
      tags: wanted.filter((tag) => tag !== ''),
    });
  };
  return (
    <form className="col gap4" onSubmit={submit}>
      <FaultBanner fault={fault} />
      <TextInput
        label={t('assets.path')}
        required
        value={path}
        description={path !== asset.path && asset.used_by.length > 0 ? t('assets.moveWarning') : undefined}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      {asset.type === 'image' && (
        <TextInput
          label={t('assets.alt')}
          description={t('assets.altHint')}
          maxLength={500}
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('assets.tags')}
        description={t('assets.tagsHint')}
        value={tags}
        onChange={(event) => setTags(event.currentTarget.value)}
      />
      <div className="row wrap">
        <Remove asset={asset} close={close} />
        <Button type="submit" variant="filled" className="push" loading={isBusy}>
          {t('assets.save')}
        </Button>
      </div>
    </form>
  );
}

/** Deletes without asking, since it can be taken back; what is in use is deleted only by a second word. */
function Remove({ asset, close }: { readonly asset: Asset; readonly close: () => void }) {
  const t = useText();
  const queries = useQueryClient();
  const restore = async () => {
    await call(updateAsset, { asset_id: asset.id, restore: true });
    await queries.invalidateQueries({ queryKey: [listAssets] });
    toast(text('assets.restored', { file: nameOf(asset.path) }));
  };
  const { write, isBusy, fault } = useWrite(deleteAsset, {
    changes: [listAssets],
    onDone: () => {
      close();
      toast(text('assets.deleted', { file: nameOf(asset.path) }), {
        label: text('action.undo'),
        run: () => void restore().catch((error: Error) => toast(error.message)),
      });
    },
  });
  const isUsed = fault?.status === 409;
  return (
    <div className="col grow">
      {fault && !isUsed && <FaultBanner fault={fault} />}
      {isUsed && (
        <Banner tone="warn" title={t('assets.inUse')}>
          {fault.message}
        </Banner>
      )}
      <span>
        <Button
          color="red"
          variant="subtle"
          loading={isBusy}
          leftSection={<Trash2 className="icon" />}
          onClick={() => write({ asset_id: asset.id, force: isUsed })}
        >
          {isUsed ? t('assets.deleteAnyway') : t('assets.delete')}
        </Button>
      </span>
    </div>
  );
}

function Restore({ asset, close }: { readonly asset: Asset; readonly close: () => void }) {
  const t = useText();
  const { write, isBusy, fault } = useWrite(updateAsset, {
    changes: [listAssets, getAsset],
    said: t('assets.restored', { file: nameOf(asset.path) }),
    onDone: close,
  });
  return (
    <div className="col gap4">
      <FaultBanner fault={fault} />
      <p className="mid">{t('assets.deletedAbout')}</p>
      <div className="row dialog-acts">
        <Button
          variant="filled"
          loading={isBusy}
          onClick={() => write({ asset_id: asset.id, restore: true })}
        >
          {t('assets.restore')}
        </Button>
      </div>
    </div>
  );
}
